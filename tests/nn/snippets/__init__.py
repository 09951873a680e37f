"""Parameters, modules, layers and losses as snippets."""
