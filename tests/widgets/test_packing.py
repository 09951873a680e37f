from minigrad.widgets.packing import pack


def unpack(packed):
    """What `player.js` does with packed frames."""
    frames, state = [], {"marks": {}, "labels": {}}
    for frame in packed:
        for part, known in state.items():
            merged = {**known, **frame[part]}
            state[part] = {key: value for key, value in merged.items() if value is not None}
        frames.append({**frame, **state})
    return frames


def frame(marks, labels=None):
    return {"title": "t", "marks": marks, "labels": labels or {}}


def test_unpacking_gives_the_frames_back():
    frames = [
        frame({"n0": ["now"]}, {"n0": {"status": "now"}}),
        frame({"n0": ["done"], "n1": ["now"]}),
        frame({}),
        frame({"n1": ["now"]}, {"e0": {"gradient": "3"}}),
    ]
    assert unpack(pack(frames)) == frames


def test_what_stays_is_told_once():
    same = {f"n{i}": ["done"] for i in range(1000)}
    packed = pack([frame(same), frame({**same, "n7": ["now"]})])
    assert packed[1]["marks"] == {"n7": ["now"]}


def test_the_frames_given_stay_as_they_are():
    frames = [frame({"n0": ["now"]}), frame({})]
    pack(frames)
    assert frames == [frame({"n0": ["now"]}), frame({})]
