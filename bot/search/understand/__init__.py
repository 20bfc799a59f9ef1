"""From a text as it was typed to what is searched: an `Analysis`."""
