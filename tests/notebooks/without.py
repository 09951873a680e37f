"""Run the code of a notebook with packages missing: `without.py NOTEBOOK PACKAGE …`.

Every cell has to run, and whatever it displays has to have a text. Cells tagged
`raises-exception` have to raise. What is displayed is printed.
"""

import ast
import base64
import builtins
import json
import os
import re
import sys
import warnings

SELF = "<lesson>"


def run(source: str, names: dict) -> object:
    """Run a cell and return what it displays."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), SELF, "exec"), names)
    return eval(compile(ast.Expression(last.value), SELF, "eval"), names) if last else None


def text_of(shown: object) -> str:
    bundle = shown._repr_mimebundle_() if hasattr(shown, "_repr_mimebundle_") else {}
    bundle = bundle[0] if isinstance(bundle, tuple) else bundle
    html = bundle.get("text/html", "")
    if "graphviz" in sys.argv:  # what it lays out is text then; curves and points are still drawn
        for coded in re.findall(r"base64,([^\"]+)", html):
            assert b"minigrad-figure" not in base64.b64decode(coded), html[:200]
    return bundle.get("text/plain", repr(shown))


def main(path: str, *missing: str) -> None:
    for package in missing:
        sys.modules[package] = None
    if "graphviz" in missing:
        os.environ["PATH"] = ""  # and no `dot` program either
    warnings.simplefilter("error")
    names = {"__name__": "__main__", "__builtins__": builtins}
    with open(path, encoding="utf-8") as file:
        cells = [c for c in json.load(file)["cells"] if c["cell_type"] == "code"]
    for cell in cells:
        raises = "raises-exception" in cell["metadata"].get("tags", [])
        try:
            shown = run("".join(cell["source"]), names)
        except Exception as error:
            if not raises:
                raise
            print(f"{type(error).__name__}: {error}")
        else:
            if raises:
                raise SystemExit(f"{cell['id']} does not raise")
            if shown is not None:
                text = text_of(shown)
                assert text.strip(), cell["id"]
                print(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
