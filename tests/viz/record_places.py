"""Records where the `dot` program on the PATH puts the nodes of the tests' graphs.

    PATH=…:$PATH python tests/viz/record_places.py

It should be another Graphviz than the one that draws here: the test compares the two.
"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from minigrad.viz.dot import dot_of
from minigrad.viz.drawing import compose
from tests.viz.test_drawing import GRAPHS, places

answers = {}
for name, make in GRAPHS.items():
    dot = dot_of(compose(make(), down=len(name) % 2 == 0))
    run = subprocess.run(["dot", "-Tjson0"], input=dot, capture_output=True, text=True, check=True)
    answers[name] = {"dot": dot, "places": places(run.stdout)}
lines = [f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in answers.items()]
Path(__file__).with_name("places.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
