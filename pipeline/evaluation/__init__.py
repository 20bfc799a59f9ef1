"""Measure what is served, beside other systems."""
