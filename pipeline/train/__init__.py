"""Learn the approximator from the teacher."""
