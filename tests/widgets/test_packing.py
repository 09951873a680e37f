import base64
import json
import zlib

from minigrad.widgets.packing import READABLE, changes, packed


def unpack(told):
    """What the player does with changes."""
    frames, marks, labels = [], {}, {}
    for frame in told:
        marks = apply(marks, frame["marks"])
        slots = {key: apply(labels.get(key, {}), new) for key, new in frame["labels"].items()}
        labels = {key: whole for key, whole in {**labels, **slots}.items() if whole}
        frames.append({**frame, "marks": marks, "labels": labels})
    return frames


def apply(known, changed):
    return {key: new for key, new in {**known, **changed}.items() if new is not None}


def frame(marks, labels=None):
    return {"title": "t", "marks": marks, "labels": labels or {}}


def test_unpacking_gives_the_frames_back():
    frames = [
        frame({"n0": ["now"]}, {"n0": {"state": "now"}}),
        frame({"n0": ["done"], "n1": ["now"]}),
        frame({}),
        frame({"n1": ["now"]}, {"e0": {"sent": "3"}}),
    ]
    assert unpack(changes(frames)) == frames


def test_what_stays_is_told_once():
    same = {f"n{i}": ["done"] for i in range(1000)}
    told = changes([frame(same), frame({**same, "n7": ["now"]})])
    assert told[1]["marks"] == {"n7": ["now"]}


def test_the_frames_given_stay_as_they_are():
    frames = [frame({"n0": ["now"]}), frame({})]
    changes(frames)
    assert frames == [frame({"n0": ["now"]}), frame({})]


def test_frames_that_know_their_changes_are_asked_for_them():
    class Knowing(list):
        def changes(self):
            yield from ("one", "two")

    assert changes(Knowing()) == ["one", "two"]


def test_what_is_short_stays_readable_and_what_is_long_can_be_unpacked():
    short, long = {"a": "é"}, {"a": "é" * READABLE}
    assert packed(short) is short
    inflated = zlib.decompress(base64.b64decode(packed(long)["deflated"]))
    assert json.loads(inflated) == long
    assert len(packed(long)["deflated"]) < READABLE / 50
