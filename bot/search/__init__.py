"""Search: from a person's words to the phrases that mean them."""
