"""Which phrases a query may mean: by meaning, and by wording."""
