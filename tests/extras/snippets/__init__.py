"""Forward mode, batches of gradients and inference mode as snippets."""
