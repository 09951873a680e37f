"""Checkpoints as snippets."""
