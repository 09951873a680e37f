"""Trays without a browser: sentences, buttons, pictures, guesses, and what is stored."""

import contextlib
import itertools
import json
import re
import warnings
from base64 import b64decode
from html import unescape
from xml.etree import ElementTree

import pytest

import minigrad as mg
from minigrad.language import set_catalogue
from minigrad.viz.measure import text_width
from minigrad.widgets.screen import key_of
from minigrad.widgets.trays import Trays, code, trays
from minigrad.widgets.trays.because import because, sentence
from minigrad.widgets.trays.programs import (
    ASKS,
    ASKS_AGAIN,
    CLEAR,
    DETACH,
    DETACH_A,
    DETACH_B,
    FREEZE_U,
    FREEZE_W,
    ITEM,
    MODEL_SWITCHES,
    NO_GRAD_A,
    NO_GRAD_B,
    NONE,
    PRESETS,
    PROGRAMS,
    ROUND,
    STEP,
    SWITCHES,
    TRAIN,
    ZERO,
    group_of,
)
from minigrad.widgets.trays.running import Runner
from minigrad.widgets.trays.screens import Place, entered, settings, show, stored_states
from minigrad.widgets.trays.two_roads import TWO_ROADS

Y = "y.backward()"
ADDS = "Backward adds to what is in the tray."
LEAF = "x is a leaf that asks for a gradient."
LOSS = "loss.backward()"
SETTINGS = [on for n in range(7) for on in itertools.combinations(SWITCHES, n)]
MODELS = [
    on
    for n in range(8)
    for on in itertools.combinations(MODEL_SWITCHES, n)
    if not {DETACH, ITEM} <= set(on)
]


def run(on, *events, program="case 1"):
    return Runner(mg).run(program, on, events)


def test_what_scissors_say_stands_above_the_legend():
    drawn = TWO_ROADS(run((ASKS, DETACH_A, DETACH_B)), lambda switch: None)
    stops = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>gradient stops<', drawn)]
    legend = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>the value passes<', drawn)]
    assert (len(stops), len(legend)) == (4, 2)  # two sizes
    assert max(stops) + 14 <= min(legend)


# --- what is said -----------------------------------------------------------------------------


@pytest.mark.parametrize("on", SETTINGS, ids="+".join)
def test_every_row_says_why_and_starts_with_the_grad(on):
    for events in ((), (Y,), (Y, Y), (Y, ZERO), (Y, NONE), (Y, STEP)):
        found = run(on, *events)
        for name, why in because(found).items():
            fact = found.facts[name]
            grad = "—" if fact is None else f"{fact.grad:g}" if fact.grad is not None else "None"
            assert why.startswith(f"{grad}: "), why
            assert why.endswith(".")
        assert len(sentence(found)) > 20


@pytest.mark.parametrize("on", SETTINGS, ids="+".join)
def test_what_a_sentence_states_is_so(on):
    """Each word that states a fact is compared with the tensor, and the numbers with each other."""
    found = run(on, Y)
    for name, why in because(found).items():
        fact = found.facts[name]
        if fact is None:
            continue
        assert ("asks for no gradient (requires_grad is False)" in why) <= (not fact.requires_grad)
        assert ("so it is a leaf" in why) <= (fact.is_leaf and not fact.requires_grad)
        assert ("is not a leaf" in why) <= (not fact.is_leaf)
        assert ("was called" in why) == (f"{name}.retain_grad()" in on and not fact.is_leaf)
        if passed := re.search(r"(\S+) passed through", why):
            assert float(passed[1]) == fact.came
        if parts := re.search(r"(\S+) \(by a\) \+ (\S+) \(by b\)", why):
            assert float(parts[1]) + float(parts[2]) == fact.grad
        if product := re.search(r"through [ab]: (\S+) × (\S+) × (\S+)\.", why):
            assert float(product[1]) * float(product[2]) * float(product[3]) == fact.grad


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ((), "None: no backward() has reached x yet."),
        ((NONE,), "None: no backward() has reached x yet."),
        ((Y, ZERO), "0: zero_() emptied the tray."),
        ((Y, NONE), "None: x.grad = None took the tray away."),
        ((Y, Y), f"14: 7 by the first backward, then 7 by the second. {ADDS}"),
        ((Y, Y, ZERO, Y), f"7: {LEAF} Both roads reach it: 4 (by a) + 3 (by b)."),
        ((Y,) * 4, "28: the sum of the gradients of 4 backwards. Nobody has emptied the tray."),
    ],
)
def test_the_tray_says_how_it_came_to_what_it_holds(events, why):
    assert because(run([ASKS], *events))["x"] == why


def test_the_two_results_are_told_apart():
    found = run((), "out.backward()", "out2.backward()", program="mean, then sum")
    assert because(found)["x"] == (
        "5.5: 4.5 by out, then 1 by out2. Backward adds to what is in the tray."
    )
    assert sentence(found) == (
        "out2 sends 1 to every entry of x. The tray held 4.5, so it now holds 4.5 + 1 = 5.5."
    )


def test_a_kept_gradient_does_not_gather_because_its_tensor_is_new():
    why = because(run([ASKS, "a.retain_grad()"], Y, Y))["a"]
    assert why == (
        "4: a is not a leaf, but a.retain_grad() was called. "
        "Lines 2 to 5 ran again before the last backward, so this a is new."
    )
    assert "again" not in because(run([ASKS, "a.retain_grad()"], Y))["a"]


@pytest.mark.parametrize("event", [ZERO, NONE, STEP])
def test_nothing_passes_through_a_tensor_unless_backward_came_last(event):
    told = because(run([ASKS], Y, event))
    assert told["a"] == "None: a is not a leaf, and nobody called a.retain_grad()."
    assert "passed through" in because(run([ASKS], Y, event, Y))["a"]


def test_g_is_spoken_of_only_where_it_is_shown():
    for event in (ZERO, NONE):
        assert "g, a second name" not in sentence(run([ASKS], Y, event))
        found = run((), "out.backward()", event, program="mean, then sum")
        assert "g, a second name" in sentence(found)


def test_the_numbered_steps_of_the_lesson_lead_on():
    board = trays().press(Y).press(Y)
    assert board.grads["x"] == 14
    assert board.press(ZERO).press(Y).grads["x"] == 7
    board.state = Place.of(board.state).toggled("a.retain_grad()").state
    assert board.grads["a"] == 4
    cut_at_once = Place.of(board.state).toggled("a.detach()").run
    assert cut_at_once.stopped  # which is why the step begins with "as written"
    board.press("as written")
    board.state = Place.of(board.state).toggled("a.detach()").state
    assert board.press(Y).grads == {"x": 3, "a": None, "b": None, "y": None}
    board.press("mean, then sum").press("out.backward()").press("out2.backward()")
    assert board.grads["x"] == 5.5
    board.press("never zeroed").press("▶")


def test_an_action_that_fails_says_what_pytorch_says():
    assert sentence(run([ASKS], ZERO)) == (
        "x.grad.zero_() stops. AttributeError: 'NoneType' object has no attribute 'zero_'"
    )
    assert "unsupported operand type(s) for *" in sentence(run([ASKS], STEP))
    stopped = run([ASKS, "a no_grad()", "a.retain_grad()"], Y)
    assert stopped.moments == []
    assert sentence(stopped).startswith("Line 3 stops, so nothing after it happens. RuntimeError")
    assert because(stopped)["y"] == "—: this line was never reached."


@pytest.mark.parametrize(
    ("on", "why"),
    [
        ([ASKS, "a.detach()", "b.detach()"], "both roads are cut"),
        ([ASKS, "a no_grad()", "b.detach()"], "both roads are cut"),
        ([], "x asks for no gradient"),
        (["a.detach()", "b.detach()"], "x asks for no gradient"),
    ],
)
def test_a_backward_without_a_node_says_why(on, why):
    assert sentence(run(on, Y)) == (
        f"y.backward() stops: {why}, so y has no node to go back from. RuntimeError: element 0 of"
        " tensors does not require grad and does not have a grad_fn"
    )


def part_of(screen, key):
    (found,) = [part for part in screen.parts if part.key == key]
    return found


def test_words_are_looked_up_when_they_are_shown():
    before = set_catalogue({"Reset": "Zurück", "zero_() emptied the tray.": "Leer."})
    try:
        found = show(Place("case 1", (ASKS,), (Y, ZERO)).state)
        assert "Zurück" in [button.says for button in found.buttons]
        assert "0: Leer." in part_of(found, "facts").text
    finally:
        set_catalogue(before)


# --- two models -------------------------------------------------------------------------------


def models(on, *events):
    return run(on, *events, program="two models")


@pytest.mark.parametrize("on", MODELS, ids="+".join)
def test_what_is_said_of_two_models_is_so(on):
    """Each word that states a fact is compared with the tensors, at every moment."""
    once, twice = (LOSS,), (LOSS, TRAIN, LOSS)
    for events in ((), once, (LOSS, TRAIN), twice, (LOSS, CLEAR), (LOSS, TRAIN, CLEAR, LOSS)):
        found = models(on, *events)
        for name, why in because(found).items():
            fact = found.facts[name]
            grad = "None" if fact.grad is None else f"{fact.grad:.4g}".replace("-", "−")
            assert why.startswith(f"{grad}: "), why
            assert why.endswith("."), why
            stated(found, name, fact, why)
        assert len(sentence(found)) > 20


def stated(found, name, fact, why):
    """What one sentence states, compared with the tensor it is about."""
    facts, on = found.facts, found.on
    assert ("asks for no gradient, because" in why) <= (not fact.requires_grad)
    assert ("It has no history, so it is a leaf." in why) == (
        name in "aby" and not fact.requires_grad
    )
    assert ("is not a leaf" in why) <= (not fact.is_leaf)
    assert ("so nothing came to a" in why) <= (bool(found.passes) and facts["a"].came is None)
    assert ("no backward() has reached" in why.lower()) <= (fact.grad is None)
    assert ("the way back to u is cut" in why) == (
        name == "u" and fact.requires_grad and bool(found.passes) and fact.came is None
    )
    assert ("took the tray away" in why) <= (CLEAR in [m.event for m in found.moments])
    assert ("neither b nor w asks" in why) <= (not facts["b"].requires_grad and FREEZE_W in on)
    assert ("u does not ask" in why) <= (FREEZE_U in on)
    assert ("and a does not ask" in why) <= (not facts["a"].requires_grad)
    if passed := re.search(r"(\S+) passed through", why):
        assert float(passed[1].replace("−", "-")) == pytest.approx(fact.came, rel=1e-3)
    if sent := re.search(r"(\S+) came to [ay], and .* sends it (\S+) × (\S+)\.", why):
        came, again, factor = (float(n.replace("−", "-")) for n in sent.groups())
        assert came == again
        assert came * factor == pytest.approx(fact.grad, rel=1e-3)


@pytest.mark.parametrize("on", MODELS, ids="+".join)
def test_the_sentence_about_two_models_names_the_weights_that_are_reached(on):
    found = models(on, LOSS)
    said = sentence(found)
    reached = {name for name in "uw" if found.facts[name].grad is not None}
    if found.moments[-1].error:
        assert said.startswith("loss.backward() stops: no way leads from loss to a tensor that ask")
        return
    assert ("Nothing comes to u" in said) == ("u" not in reached)
    assert ("12 comes to w" in said) == ("w" in reached)
    assert ("comes to b, which asks" in said) == (found.facts["b"].grad is not None)
    assert ("u is frozen" in said) == (FREEZE_U in on)
    stepped = sentence(models(on, LOSS, TRAIN))
    assert ("No weight moves" in stepped) == (not reached)
    for name, value in (("u", 3), ("w", 5)):
        stays = f"{name} stays {value}: its .grad is None." in stepped
        assert stays == (len(reached) == 1 and name not in reached)


@pytest.mark.parametrize(
    ("on", "name", "why"),
    [
        ((), "u", "20: u is a leaf that asks. 10 came to a, and 2 · u sends it 10 × 2."),
        ((), "b", "None: b = a is a second name for a, which is not a leaf."),
        (
            (DETACH,),
            "u",
            "None: the way back to u is cut, because b = a.detach() has no history.",
        ),
        (
            (ITEM,),
            "u",
            "None: the way back to u is cut, because a.item() is a number and has no history.",
        ),
        (
            (NO_GRAD_A,),
            "u",
            "None: the way back to u is cut, because 2 · u was computed under no_grad().",
        ),
        (
            (NO_GRAD_A, ASKS_AGAIN),
            "u",
            "None: the way back to u is cut, because 2 · u was computed under no_grad().",
        ),
        (
            (NO_GRAD_A, ASKS_AGAIN),
            "a",
            (
                "10: b.requires_grad_() made b ask, and a is the same tensor. "
                "The way back ends in it: it is a leaf."
            ),
        ),
        ((FREEZE_W,), "u", "20: u is a leaf that asks. 10 came to a, and 2 · u sends it 10 × 2."),
        ((FREEZE_W,), "w", f"None: w asks for no gradient, because of {FREEZE_W}."),
    ],
)
def test_why_a_weight_of_two_models_is_reached_or_not(on, name, why):
    assert because(models(on, LOSS))[name] == why


def test_a_step_moves_what_has_a_gradient():
    board = trays("b = a.detach()").press(LOSS).press(TRAIN)
    assert board.screen.sentence == (
        "step() moves w to 4.88. What was made of the old weights stays as it was. "
        "u stays 3: its .grad is None."
    )
    facts = Place.of(board.state).run.facts
    assert (facts["u"].value, facts["w"].value) == (3, pytest.approx(4.88))
    assert sentence(models((), LOSS, CLEAR)).startswith("The trays of u and w are gone.")
    twice = because(models((), LOSS, LOSS))["u"]
    assert twice == "40: the sum of the gradients of 2 backwards. Nobody has emptied the tray."
    assert because(models((), LOSS, CLEAR, LOSS))["u"].startswith("20: u is a leaf that asks.")


@pytest.mark.parametrize("on", MODELS, ids="+".join)
@pytest.mark.parametrize("before", [(), (LOSS,), (LOSS, CLEAR), (LOSS, TRAIN, LOSS)])
def test_clearing_names_the_trays_that_there_were(on, before):
    grads = {name: models(on, *before).facts[name].grad for name in "uw"}
    there = [name for name, grad in grads.items() if grad is not None]
    said = sentence(models(on, *before, CLEAR))
    assert (
        said
        == {
            0: "No weight had a tray, so nothing has changed.",
            1: f"The tray of {''.join(there)} is gone. The next backward() brings a new one.",
            2: "The trays of u and w are gone. The next backward() brings new ones.",
        }[len(there)]
    )


def test_one_way_to_cut_takes_the_place_of_the_other():
    here = Place("two models", (DETACH, FREEZE_U), (LOSS,))
    assert set(here.toggled(ITEM).on) == {ITEM, FREEZE_U}
    assert set(here.toggled(DETACH).on) == {FREEZE_U}
    assert set(here.toggled(FREEZE_W).on) == {DETACH, FREEZE_U, FREEZE_W}


def test_the_presets_of_a_group_stand_together():
    one, two = trays(), trays("nothing cut")
    assert [b.says for b in one.screen.buttons[:2]] == ["as written", "`a.retain_grad()`"]
    shown = [b.says for b in two.screen.buttons]
    assert shown[: len(group_of("two models"))] == [p.says for p in group_of("two models")]
    assert "as written" not in shown
    names = [preset.says for preset in PRESETS]
    assert len(set(names)) == len(names)


def test_every_switch_of_two_models_leads_to_the_setting_with_it_changed():
    here = Place("two models", (NO_GRAD_B, DETACH), ())
    drawn = show(here.state).parts[0].html
    leads = [json.loads(unescape(to)) for to in re.findall(r'data-to="(.*?)"', drawn)]
    assert len(leads) == 2 * len(MODEL_SWITCHES)
    for switch in MODEL_SWITCHES:
        assert leads.count(here.toggled(switch).state) == 2, switch


# --- the code on screen is the code that is run -------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.says)
@pytest.mark.parametrize("length", range(4))
def test_the_code_of_a_setting_gives_what_is_shown(preset, length):
    found = run(preset.on, *preset.story[:length], program=preset.program)
    names = {"mg": mg}
    fails = found.moments and found.moments[-1].error
    expected = pytest.raises(RuntimeError) if fails else contextlib.nullcontext()
    with expected as raised:
        exec(code.text(found), names)
    assert not fails or fails == f"RuntimeError: {raised.value}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grad = names[found.first].grad
    held = found.facts[found.first].grad
    assert (None if grad is None else grad.flatten()[0].item()) == pytest.approx(held)


def test_what_a_switch_writes_is_marked():
    shown = code.html(run([ASKS, "a no_grad()", "a.detach()", "y.retain_grad()"]))
    assert re.findall("<mark>(.*?)</mark>", shown) == [
        "with mg.no_grad():",
        ".detach()",
        "y.retain_grad()",
    ]


# --- buttons ------------------------------------------------------------------------------------


def test_presets_set_switches_and_switches_leave_presets():
    board = trays("a.detach()")
    chosen = [button.says for button in board.screen.buttons if button.pressed]
    assert chosen == ["`a.detach()`"]
    board.state = Place("case 1", (ASKS, "a.detach()", "y.retain_grad()")).state
    assert not [button for button in board.screen.buttons if button.pressed]


def test_every_switch_of_the_picture_leads_to_the_setting_with_it_changed():
    here = Place("case 1", (ASKS, "b.detach()"), (Y, Y))
    drawn = show(here.state).parts[0].html
    leads = [json.loads(unescape(to)) for to in re.findall(r'data-to="(.*?)"', drawn)]
    assert len(leads) == 2 * len(SWITCHES)  # the wide picture, and the narrow one
    for switch in SWITCHES:
        assert leads.count(here.toggled(switch).state) == 2, switch
    assert here.toggled(ASKS).events == (Y,)  # what was done to another setting is done once
    labels = re.findall(r'data-key=".*?" aria-pressed="(\w+)" aria-label="(.*?)"', drawn)
    assert {says for on, says in labels if on == "true"} == {ASKS, "b.detach()"}


def test_where_the_code_stops_nothing_can_be_done():
    board = Trays()
    board.state = Place("case 1", ("a.retain_grad()",)).state
    with pytest.raises(ValueError, match="The code stops before it comes to this"):
        board.press(Y)


def test_arrows_follow_the_story_and_reset_starts_it_again():
    board = trays("mean, then sum")
    for events in ("out.backward()",), ("out.backward()", "out2.backward()"):
        assert Place.of(board.press("▶").state).events == events
    assert Place.of(board.press("◀").state).events == ("out.backward()",)
    assert Place.of(board.press("Reset").state).events == ()
    with pytest.raises(ValueError, match="Nothing was done yet"):
        board.press("◀")
    off_the_way = board.press(NONE)
    with pytest.raises(ValueError, match="Choose what to do next"):
        off_the_way.press("▶")


def test_lists_of_events_end():
    board = trays("never zeroed")
    for _round in range(12):
        board.press("▶")
    assert board.screen.place == "round 12 of 12"
    assert board.grads["w"] == pytest.approx(10.53, abs=0.01)
    with pytest.raises(ValueError, match="press Reset"):
        board.press(next(b.says for b in board.screen.buttons if "one round" in b.says))


def test_an_unknown_preset_is_answered_with_the_known_ones():
    with pytest.raises(LookupError, match="there is no preset 'both'; there are 'as written', "):
        trays("both")


# --- guesses ------------------------------------------------------------------------------------


def test_guesses_are_judged_before_each_because():
    board = trays().press("Ask me")
    assert "data-enter" in part_of(board.screen, "facts").html
    assert "because" in part_of(board.screen, "facts").html
    assert "no backward" not in part_of(board.screen, "facts").text
    board.enter(x="7", a="0", b=" none ", y="")
    lines = part_of(board.screen, "facts").text.splitlines()
    assert ".grad Right. 7: " in lines[0]
    assert ".grad Not quite. None: " in lines[1]  # 0 is not None
    assert ".grad Right. None: " in lines[2]
    assert ".grad None: " in lines[3]
    assert board.screen.sentence.startswith("2 of 3 are right. ")
    assert board.grads["x"] == 7


@pytest.mark.parametrize("preset", ["as written", "mean, then sum"])
def test_who_is_asked_is_told_every_pass_that_the_answer_rests_on(preset):
    board = trays(preset).press("Ask me")
    before = board.screen.sentence
    board.enter(x="1")
    passes = Place.of(board.state).run.program.passes
    assert [moment.event for moment in Place.of(board.state).run.moments] == list(passes)
    assert all(each in before for each in passes)


@pytest.mark.parametrize("typed", [{}, {"x": " "}, {"x": "seven"}, {"x": "7", "a": "?"}])
def test_a_guess_that_is_none_is_refused_with_a_sentence(typed):
    board = trays().press("Ask me")
    with pytest.raises(ValueError, match=r"number|None"):
        board.enter(**typed)
    assert board.state == {"at": Place.start(PRESETS[0]).state, "asking": True}


def test_nothing_is_entered_where_nothing_is_asked():
    with pytest.raises(ValueError, match="Press Ask me first"):
        entered(Place.start(PRESETS[0]).state, {"x": "7"})


# --- pictures and what is stored ----------------------------------------------------------------


ALL = [
    *(*settings(), *stored_states()),
    *(*settings("two models"), *stored_states("two models")),
]
STATES = [*dict.fromkeys(key_of(state) for state in ALL)]


@pytest.mark.parametrize("start", range(0, len(STATES), 20))
def test_every_stored_screen_is_sound(start):
    for key in STATES[start : start + 20]:
        screen = show(json.loads(key))
        assert screen.sentence
        for part in screen.parts:
            assert part.text or part.key == "folded code"  # the same as "code"
            for svg in re.findall(r"<svg.*?</svg>", part.html, re.DOTALL):
                drawn = ElementTree.fromstring(svg)
                assert len(drawn.get("aria-label")) > 12
                inside(drawn)


def inside(drawn):
    """Texts begin within their picture, and what is in a tray lies within the tray."""
    for group in drawn.iter("g"):
        for tray, held in itertools.pairwise(group):
            if tray.get("class", "").startswith("tray") and "small" in held.get("class"):
                left, wide = float(tray.get("x")), float(tray.get("width"))
                assert text_width(held.text, 12, "came" in held.get("class")) < wide
                assert 0 <= left <= left + wide <= float(drawn.get("width")), held.text
    width, height = float(drawn.get("width")), float(drawn.get("height"))
    for one in drawn.iter("text"):
        x, y = float(one.get("x")), float(one.get("y"))
        assert 0 <= x <= width, one.text
        assert 8 <= y <= height, one.text


def test_a_page_without_a_kernel_has_all_settings_and_all_stories():
    stored = {key_of(state) for state in [*settings(), *stored_states()]}
    for on in SETTINGS:
        assert key_of(Place("case 1", on).state) in stored
        if not run(on).stopped:
            assert key_of(Place("case 1", on, (Y,)).state) in stored
    for on in MODELS:
        if NO_GRAD_B not in on:
            assert key_of(Place("two models", on, (LOSS,)).state) in STATES
    for preset in group_of("two models"):
        for length in range(len(preset.story) + 1):
            assert key_of(Place.start(preset, preset.story[:length]).state) in STATES
    for preset in group_of("case 1"):
        for length in range(len(preset.story) + 1):
            here = Place.start(preset, preset.story[:length])
            assert key_of(here.state) in stored
            for event in PROGRAMS[preset.program].events:
                if event not in (STEP, ROUND):
                    assert key_of(here.after(*here.events, event).state) in stored


def test_a_place_and_its_state_are_one():
    for state in ALL:
        assert Place.of(state).state == state
    asking = Place("case 1", (ASKS,), asking=True)
    guessed = Place("case 1", (ASKS,), (Y,), guesses=(("x", "7"),))
    assert [Place.of(one.state) for one in (asking, guessed)] == [asking, guessed]


def test_it_stays_small_enough_for_a_lesson():
    assert len(trays()._html()) < 115_000
    assert len(trays("nothing cut")._html()) < 115_000


def test_without_scripts_there_is_text_to_unfold():
    html = trays()._html()
    assert html.count("<details>") == len(group_of("case 1"))
    assert "cut both: x.grad None after one backward()" in html
    html = trays("nothing cut")._html()
    assert "A frozen: u.grad None, w.grad 12 after one backward()" in html


def test_without_scripts_each_image_is_said_to_be_after_a_backward():
    head = trays("nothing cut")._html().split("<details>")[0]
    assert "nothing was done yet" not in head
    assert "<div>nothing cut: u.grad 20, w.grad 12 after one backward()</div><img" in head


def test_without_scripts_two_moments_are_shown_as_images():
    html = trays("nothing cut")._html()
    images = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]+)"', html)
    assert len(images) == 2
    for data, alt in images:
        svg = b64decode(data).decode()
        drawn = ElementTree.fromstring(svg)
        assert "var(" not in svg  # an image does not know the colors of its page
        assert "data-to" not in svg
        style = next(drawn.iter("{http://www.w3.org/2000/svg}style")).text
        for name in ("frame", "pill", "ring", "tray", "came", "b", "g"):
            assert f".{name}" in style, name
        said = " ".join(text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text"))
        assert (".grad 20" in said) == ("u.grad 20" in alt) == ("Scissors" not in alt)


def test_without_scripts_the_roads_and_a_tray_that_adds_up_are_shown_as_images():
    html = trays()._html()
    images = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]+)"', html)
    pictures = [ElementTree.fromstring(b64decode(data)) for data, _alt in images]
    told = [" ".join(filter(None, drawn.itertext())) for drawn in pictures]
    assert [("7" in said.split(), "3" in said.split()) for said in told[:2]] == [
        (True, True),
        (False, True),
    ]
    assert "x.grad 7" in images[0][1]
    assert "cut by detach()" in images[1][1]
    assert "4.5 + 1" in images[2][1]
    assert not [data for data, _alt in images if "var(" in b64decode(data).decode()]
