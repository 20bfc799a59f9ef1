"""Read and fetch the collection and the training sets."""
