"""Turn a collection and an approximator into artifacts."""
