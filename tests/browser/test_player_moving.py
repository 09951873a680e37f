"""The player on a plain page: keys, clicks, playing, and where its code stands."""

import pytest

from tests.browser.harness import screenshot
from tests.browser.player_pages import (
    STEPS,
    click,
    more,
    place,
    players,
    press,
    sentence,
)
from tests.widgets.made_up import FRAMES, player


# --- Moving --------------------------------------------------------------------------------------
def test_the_player_stands_at_the_first_step(visit):
    found = players(visit())
    assert place(found) == "step 1 of 4"
    assert sentence(found) == FRAMES[0]["sentence"]
    assert found.locator("details").count() == 0
    assert found.locator(".figure svg").count() == 1


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        (["ArrowRight"], 2),
        (["ArrowRight", "ArrowRight", "ArrowLeft"], 2),
        (["End"], 4),
        (["End", "Home"], 1),
        (["ArrowLeft"], 1),
        (["End", "ArrowRight"], 4),
        (["n"], 2),
        (["End", "ArrowLeft", "N"], 4),
        (["ArrowDown", "ArrowUp", "a", "b"], 1),
    ],
)
def test_keys(visit, keys, step):
    found = players(visit())
    press(found, *keys)
    assert place(found) == f"step {step} of {STEPS}"


@pytest.mark.parametrize(
    ("buttons", "step"),
    [
        (["Next"], 2),
        (["Next", "Next", "Back one step"], 2),
        (["To end"], 4),
        (["To end", "To start"], 1),
        (["To end", "Again"], 1),
        (["More", "jump to next send"], 2),
        (["More", "jump to next leaf"], 4),
        (["To end", "More", "Reset"], 1),
    ],
)
def test_buttons(visit, buttons, step):
    found = players(visit())
    for name in buttons:
        click(found, name)
    assert place(found) == f"step {step} of {STEPS}"


def shown_texts(found):
    return found.evaluate(
        """found => Object.fromEntries([...found.querySelectorAll(
            ".figure [id$=-state], .figure [id$=-came], .figure [id$=-grad], "
            + ".figure [id$=-factor], .figure [id$=-sent]")]
            .map(slot => [slot.id.replace(/^mgmade-\\d+-/, ""), slot.textContent])
            .filter(([, text]) => text))"""
    )


def shown_marks(found):
    return found.evaluate(
        """found => Object.fromEntries([...found.querySelectorAll(".figure g[data-class]")]
            .map(group => [group.id.replace(/^mgmade-\\d+-/, ""),
                group.getAttribute("class").replace(group.dataset.class, "").trim()])
            .filter(([, marks]) => marks))"""
    )


def test_every_step_shows_its_frame_forth_and_back(visit):
    found = players(visit())
    for key, steps in [("ArrowRight", FRAMES), ("ArrowLeft", FRAMES[::-1])]:
        for shown in steps:
            assert sentence(found) == shown["sentence"]
            rows = [row.split("\t") for row in found.locator("tr").all_inner_texts()]
            assert ["took", "3, from y"] in rows
            assert shown_texts(found) == {
                f"{owner}-{slot}": text
                for owner, slots in shown["labels"].items()
                for slot, text in slots.items()
            }
            assert shown_marks(found) == {
                key: " ".join(marks) for key, marks in shown["marks"].items()
            }
            press(found, key)


def test_jumps_show_what_steps_show(visit):
    found = players(visit("long"))
    steps = []
    slider = found.get_by_role("slider")
    for step in [1999, 1, 1234, 1233, 60, 0]:
        slider.evaluate(
            """(slider, step) => {
                slider.value = step + 1;
                slider.dispatchEvent(new Event("input"));
            }""",
            step,
        )
        steps.append((sentence(found), shown_texts(found)["v0-came"]))
    expected = [1999, 1, 1234, 1233, 60, 0]
    assert steps == [(f"Step {at} sends {at} to x.", str(at)) for at in expected]


def test_the_track(visit):
    found = players(visit())
    slider = found.get_by_role("slider", name="step")
    slider.focus()
    found.page.keyboard.press("ArrowRight")
    found.page.keyboard.press("ArrowRight")
    assert place(found) == "step 3 of 4"
    assert slider.get_attribute("aria-valuetext") == "step 3 of 4"
    box = slider.bounding_box()
    found.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    assert place(found) == "step 4 of 4"
    stops = found.locator(".track g circle")
    assert stops.count() == STEPS
    # Where a stop is drawn, there it is clicked.
    third = stops.nth(2).bounding_box()
    found.page.mouse.click(third["x"] + third["width"] / 2, third["y"] + third["height"] / 2)
    assert place(found) == "step 3 of 4"


def test_more_than_twenty_steps_have_no_stops(visit):
    assert players(visit("long")).locator(".track g circle").count() == 0


def test_focus_stays_where_it_is(visit):
    page = visit()
    following = page.locator("button.main")
    following.focus()
    for _ in range(STEPS):
        page.keyboard.press("Enter")
        assert following.evaluate("button => button === document.activeElement")


def test_escape_closes_the_menu_and_then_leaves(visit):
    found = players(visit())
    menu = more(found)
    menu.get_by_role("combobox", name="speed").focus()
    found.page.keyboard.press("Escape")
    assert not menu.is_visible()
    assert found.locator("button.more").evaluate("b => b === document.activeElement")
    found.page.keyboard.press("Escape")
    assert not found.evaluate("found => found.contains(document.activeElement)")


@pytest.mark.parametrize("width", [1100, 600])
def test_the_menu_covers_nothing_and_stays_open(visit, width):
    found = players(visit(width=width))
    menu, figure = more(found), found.locator(".figure")
    below = menu.bounding_box()["y"] + menu.bounding_box()["height"]
    assert below <= figure.bounding_box()["y"]
    wide = figure.locator("svg").bounding_box()["width"]
    for larger in (1.25, 1.25**2):
        click(found, "larger picture")
        now = figure.locator("svg").bounding_box()["width"]
        assert now == pytest.approx(larger * wide, rel=1e-3)
    assert menu.is_visible()
    found.locator("button.more").click()
    assert not menu.is_visible()


def test_it_never_plays_by_itself(visit):
    page = visit()
    page.clock.run_for(60_000)
    assert place(players(page)) == "step 1 of 4"


def test_playing_goes_on_and_stops_at_the_end(visit):
    page = visit()
    found = players(page)
    press(found, " ")
    assert page.get_by_role("button", name="Pause").is_visible()
    page.clock.run_for(1_700)
    assert place(found) == "step 2 of 4"
    press(found, " ")
    page.clock.run_for(10_000)
    assert place(found) == "step 2 of 4"
    click(found, "Play")
    page.clock.run_for(60_000)
    assert place(found) == "step 4 of 4"
    click(found, "Play")  # from the end it starts over
    assert place(found) == "step 1 of 4"


def test_speed(visit):
    page = visit()
    more(players(page)).get_by_role("combobox", name="speed").select_option("4")
    click(page, "Play")
    page.clock.run_for(900)
    assert place(players(page)) == "step 3 of 4"


# --- Several players, and where their code is ----------------------------------------------------
def test_two_copies_do_not_interfere(visit):
    page = visit("two")
    one, two = players(page).nth(0), players(page).nth(1)
    press(one, "ArrowRight", "t")
    press(two, "End")
    assert [place(one), place(two)] == ["step 2 of 4", "step 4 of 4"]
    assert one.locator(".listing").is_visible()
    assert not two.locator(".listing").is_visible()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids)) > 0


@pytest.mark.parametrize("page", ["code last", "code first"])
def test_one_code_plays_all_players_wherever_it_stands(visit, page):
    found = players(visit(page))
    found.page.locator(".place").nth(1).wait_for()
    assert sorted(found.locator(".place").all_inner_texts()) == ["step 1 of 2", "step 1 of 4"]


def test_a_player_that_is_shown_before_its_code_waits_for_it(visit, files):
    page = visit("no code")
    assert page.locator("details").count() == STEPS
    page.evaluate(
        """html => {
            const holder = document.createElement("div");
            holder.innerHTML = html;
            for (const old of holder.querySelectorAll("script[type=module]")) {
                const script = document.createElement("script");
                script.type = "module";
                script.textContent = old.textContent;
                old.replaceWith(script);
            }
            document.body.append(holder);
        }""",
        player(FRAMES[:2]).html(),
    )
    page.locator(".place").nth(1).wait_for()
    assert page.locator(".place").all_inner_texts() == ["step 1 of 4", "step 1 of 2"]


def test_without_the_code_the_picture_and_the_steps_stand(visit):
    page = visit("no code")
    assert page.locator("img").evaluate("image => image.naturalWidth") == 540
    page.locator("summary").nth(1).click()
    assert page.get_by_text(FRAMES[1]["sentence"]).is_visible()


def test_without_scripts_the_steps_unfold(visit):
    page = visit(java_script_enabled=False)
    assert page.locator("details").count() == STEPS
    assert page.locator("img").bounding_box()["width"] == 540
    page.locator("summary").nth(1).click()
    assert page.get_by_text(FRAMES[1]["sentence"]).is_visible()
    screenshot(page, "player-no-scripts")
