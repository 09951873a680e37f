"""Optimizers as snippets."""
