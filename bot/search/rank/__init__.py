"""Which phrases fit best, how sure that is, and why."""
