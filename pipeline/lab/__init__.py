"""The training lab: experiments on the similarity of sentences, each run with `python -m pipeline.lab NAME`."""
