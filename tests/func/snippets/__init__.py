"""Transforms of functions as snippets: `grad`, `jvp`, `vmap` and what is built of them."""
