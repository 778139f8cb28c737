"""The page in a real browser: it shows what was found, on any screen and by keyboard, and any text stays text."""

from __future__ import annotations

import numpy as np
import pytest

from tests.report.browser import visiting
from tests.report.made_up import YEARS, MadeUpTopics
from wfibp.corpus import Calendar
from wfibp.report.page import write_page

EVIL = "<script>alert(1)</script>"
NUM_TOPICS = 12


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    notes = {"command": "wfibp fit talks.csv -o run", "description": ["the column text is speech"]}
    write_page(MadeUpTopics(provenance=notes), path)
    return path


def test_it_says_how_many_topics_of_what_and_how_sure(browser, page_file):
    with visiting(browser, page_file) as visit:
        assert visit.text("h1") == "12 established topics in 231 documents, 1790–2018"
        assert visit.page.title() == visit.text("h1")
        assert "69 300 words" in visit.text(".lede")
        assert "from 11 to 14 with a probability of 90%" in visit.text("#facts")
        assert "The results can be trusted." in visit.text("#facts")


def test_every_topic_has_a_curve_a_lifeline_and_a_card(browser, page_file):
    with visiting(browser, page_file) as visit:
        assert visit.count("#popularity path.curve") == visit.count("#popularity path.band") == 5
        assert visit.count("#popularity path.context") == NUM_TOPICS - 5
        assert visit.count("#lifelines a.row") == NUM_TOPICS
        assert visit.count(".card") == visit.count(".card path.curve") == NUM_TOPICS
        label = visit.page.locator("#lifelines a.row", has_text="war · army").get_attribute("aria-label")
        assert "In use from about 1853 to about 1868." in label
        assert "born about 1848 (between 1842 and 1851)" in label


def test_the_end_has_traces_settings_the_command_and_whom_to_cite(browser, page_file):
    with visiting(browser, page_file) as visit:
        assert visit.count("#method .traces figure") == 5
        said = visit.text("#method")
        for part in ("num_warmup", "wfibp fit talks.csv -o run", "the column text is speech", "Perrone", "1.009"):
            assert part in said


@pytest.mark.parametrize("width", [320, 380, 768, 1280])
def test_it_fits_the_width_of_any_screen(browser, page_file, width):
    with visiting(browser, page_file, width=width) as visit:
        for details in visit.page.locator("details > summary").all()[:3]:
            details.click()
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
        wide = visit.page.evaluate(
            "[...document.querySelectorAll('main *:not(.scroll *)')].filter((e) => "
            "e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80))"
        )
        assert wide == []


def test_long_names_without_a_space_do_not_widen_a_phone(browser, tmp_path):
    word = "Donaudampfschifffahrtsgesellschaft" * 4
    topics = {f"{word} {word}x other": (1850.0, 0.5, 20.0), "a b c": (1900.0, 0.4, 20.0)}
    write_page(MadeUpTopics(topics, name="n" * 300, opening="o" * 400), tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html", width=380) as visit:
        visit.page.locator(".card summary").first.click()
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 380


def test_a_word_is_found_by_keyboard(browser, page_file):
    with visiting(browser, page_file) as visit:
        visit.page.get_by_label("Find by word").focus()
        visit.page.keyboard.type("VESSEL")
        assert visit.count(".card") == 2
        assert visit.text("#search-status") == '2 of 12 topics have a word that begins with "VESSEL".'
        assert "vessels" in visit.text(".found")
        assert visit.count(".card .words mark") == 2
        visit.page.keyboard.type("zzz")
        assert visit.count(".card") == 0
        assert "No topic has a word" in visit.text("#search-status")
        visit.page.get_by_label("Find by word").fill("")
        assert visit.count(".card") == NUM_TOPICS


def test_topics_are_compared_by_keyboard(browser, page_file):
    with visiting(browser, page_file) as visit:
        button = visit.page.get_by_role("button", name="Compare war · army · troops")
        assert button.get_attribute("aria-pressed") == "false"
        button.focus()
        visit.page.keyboard.press("Enter")
        assert button.get_attribute("aria-pressed") == "true"
        assert visit.count("#popularity path.curve") == 6
        visit.page.get_by_label("Add a topic to compare").select_option(label="bank · currency · gold")
        assert visit.count("#popularity path.curve") == 7
        assert visit.page.get_by_label("Add a topic to compare").is_disabled()
        visit.page.get_by_role("button", name="Remove war · army · troops").press("Enter")
        assert visit.count("#popularity path.curve") == 6
        assert button.get_attribute("aria-pressed") == "false"


def test_the_curves_are_read_with_arrow_keys(browser, page_file):
    with visiting(browser, page_file) as visit:
        chart = visit.page.get_by_role("slider")
        chart.focus()
        visit.page.keyboard.press("End")
        assert chart.get_attribute("aria-valuetext").startswith("2018 jobs · workers · families 77% (58% to 96%)")
        visit.page.keyboard.press("ArrowLeft")
        assert chart.get_attribute("aria-valuetext").startswith("2015")
        assert visit.count(".reading") == 1
        visit.page.keyboard.press("Escape")
        assert visit.count(".reading") == 0


def test_a_grey_line_is_named_when_pointed_at_and_compared_when_clicked(browser, page_file):
    with visiting(browser, page_file, height=1400) as visit:
        spot = visit.page.evaluate(
            """(() => {
              const path = document.querySelector("#popularity path.context");
              const point = path.getPointAtLength(path.getTotalLength() / 2);
              const box = path.ownerSVGElement.getBoundingClientRect();
              return [box.left + point.x, box.top + point.y];
            })()"""
        )
        visit.page.mouse.move(*spot)
        assert visit.count("#popularity path.meant") == 1
        assert visit.count(".reading .meant") == 1
        visit.page.mouse.click(*spot)
        assert visit.count("#popularity button.chip") == 6


def test_many_lifelines_are_shown_when_asked_for(browser, tmp_path):
    topics = {f"word{n} other{n}": (1800.0 + 4 * n, 0.3, 9.0) for n in range(45)}
    write_page(MadeUpTopics(topics), tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html") as visit:
        assert visit.count("#lifelines a.row") == 40
        visit.page.get_by_role("button", name="Show all 45").click()
        assert visit.count("#lifelines a.row") == 45


def test_the_share_of_words_is_shown_first_and_popularity_can_be_shown_instead(browser, page_file):
    with visiting(browser, page_file) as visit:
        before = visit.page.locator("#popularity path.curve").first.get_attribute("d")
        visit.page.get_by_label("Shown").select_option("Share of documents with the topic")
        assert visit.page.locator("#popularity path.curve").first.get_attribute("d") != before


def test_the_documents_of_a_period_are_those_with_the_largest_shares(browser, page_file):
    with visiting(browser, page_file) as visit:
        card = visit.page.locator("#topic-1")
        card.locator("summary").click()
        everywhere = card.locator(".documents b").all_inner_texts()
        card.get_by_label("From").select_option(index=5)
        later = card.locator(".documents b").all_inner_texts()
        posterior = MadeUpTopics()
        share = posterior.document_proportions().toarray()[:, 1]
        names = posterior.documents["name"].to_numpy()
        assert everywhere == names[np.argsort(-share, kind="stable")[:5]].tolist()
        part = np.clip((24 * (posterior.documents["time"] - YEARS[0]) / np.ptp(YEARS)).astype(int), 0, 23)
        inside = np.flatnonzero(part >= 5)
        assert later == names[inside[np.argsort(-share[inside], kind="stable")[:5]]].tolist()
        card.get_by_label("to", exact=False).last.select_option(index=1)
        assert card.get_by_label("From").input_value() == "1"


def test_related_topics_are_links_to_their_cards(browser, page_file):
    with visiting(browser, page_file) as visit:
        visit.page.locator("#topic-1 .related a").first.click()
        assert visit.page.url.endswith("#topic-8")  # both speak of vessels


def test_text_in_words_documents_and_names_stays_text(browser, tmp_path):
    topics = {
        f"{EVIL} <img/src=x/onerror=alert(2)> &lt;b&gt;": (1850.0, 0.5, 20.0),
        "a\u2028b -->": (1900.0, 0.4, 20.0),
    }
    evil = MadeUpTopics(
        topics,
        name=f"{EVIL}.txt",
        opening=f"</script>{EVIL}<!-- ${{data}} $data",
        provenance={"command": f"wfibp fit '{EVIL}.csv'", "description": [EVIL]},
    )
    write_page(evil, tmp_path / f"{EVIL.replace('/', '_')}.html")
    with visiting(browser, tmp_path / f"{EVIL.replace('/', '_')}.html") as visit:
        visit.page.locator(".card summary").first.click()
        assert EVIL in visit.text("#name-0")
        assert visit.text("#topic-0 .documents b") == f"{EVIL}.txt"
        assert f"</script>{EVIL}<!-- ${{data}} $data" in visit.text("#topic-0 .documents .opening")
        assert visit.text("#method pre") == f"wfibp fit '{EVIL}.csv'"
        assert visit.page.evaluate("document.scripts.length") == 2
        assert visit.page.evaluate("document.images.length") == 0


def test_scripts_that_are_not_its_own_do_not_run(browser, page_file, tmp_path):
    tampered = page_file.read_text(encoding="utf-8").replace("</body>", "<script>document.title='x'</script></body>")
    (tmp_path / "tampered.html").write_text(tampered, encoding="utf-8")
    with visiting(browser, tmp_path / "tampered.html") as visit:
        assert visit.page.title() != "x"
        (complaint,) = visit.complaints
        assert "Content Security Policy" in complaint
        visit.complaints.clear()


def test_half_a_character_can_be_written(tmp_path):
    write_page(MadeUpTopics(opening="broken \ud800 text"), tmp_path / "report.html")
    assert r"broken \\ud800 text" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_dark_and_still_readers_are_heard(browser, page_file):
    with visiting(browser, page_file, color_scheme="dark", reduced_motion="reduce") as visit:
        background = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
        red, green, blue = (int(part) for part in background[4:-1].split(","))
        assert max(red, green, blue) < 40
        assert visit.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_every_control_and_picture_has_a_name_for_screen_readers(browser, page_file):
    with visiting(browser, page_file) as visit:
        unnamed = visit.page.evaluate(
            """[...document.querySelectorAll("button, select, input, [role=img], [role=slider], a")].filter((e) =>
              !(e.getAttribute("aria-label") || e.innerText || e.textContent.trim() || e.labels?.length)
            ).map((e) => e.outerHTML.slice(0, 80))"""
        )
        assert unnamed == []


def test_it_prints_without_controls(browser, page_file):
    with visiting(browser, page_file) as visit:
        visit.page.emulate_media(media="print")
        assert visit.count("button") == visit.count("nav") == 0
        assert visit.count(".card") == NUM_TOPICS


def test_it_is_small(page_file):
    assert page_file.stat().st_size < 200_000


def test_days_are_written_as_dates(browser, tmp_path):
    topics = {"a b c": (20010.0, 0.5, 30.0), "d e f": (20020.0, 0.3, 20.0)}
    posterior = MadeUpTopics(topics, times=20000.0 + 7 * np.arange(9), calendar=Calendar("day", "week"))
    write_page(posterior, tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html") as visit:
        assert visit.text("h1").endswith("2024-10-04–2024-11-29")
        assert "2024-10-04" in visit.page.locator("#popularity svg").first.text_content()


def test_what_is_in_few_draws_or_has_no_words_is_shown_when_asked_for(browser, tmp_path):
    class Wordless(MadeUpTopics):
        def topics(self):
            rho = super().topics()
            rho[3] = 1.0 / rho.shape[1]
            return rho

        def shares(self, interval=0.9):
            return super().shares(interval).assign(mean=lambda table: table["mean"].where(table["feature"] != 3, 0.0))

        @property
        def features(self):
            return super().features.assign(share=lambda table: table["share"].where(table.index != 5, 0.1))

    write_page(Wordless(), tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html") as visit:
        assert visit.count(".card") == NUM_TOPICS - 2
        visit.page.get_by_label("Find by word").fill("railroad")
        assert visit.count("#topic-5") == 1
        assert visit.count("#topic-0") == 0
        visit.page.get_by_label("Find by word").fill("")
        visit.page.evaluate("location.hash = '#topic-5'")
        visit.page.locator("#topic-5").wait_for(state="visible")
        visit.page.get_by_role("button", name="Show 2 more").click()
        assert visit.count(".card") == NUM_TOPICS
        assert "topic 3, without words" in visit.text("#topic-3")


def test_topics_of_few_documents_are_counted_apart_and_folded(browser, tmp_path):
    class Small(MadeUpTopics):
        established_size = 100  # the last three have fewer documents

    write_page(Small(), tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html") as visit:
        assert visit.count(".card") == NUM_TOPICS - 3
        assert "9 established topics are in enough" in visit.text(".lede")
        assert "3 others, in fewer than 100 documents, can be shown." in visit.text(".lede")
        assert "each in at least 100 documents" in visit.text("#facts")
        assert "1 more is in fewer documents." in visit.text("#facts")
        visit.page.get_by_role("button", name="Show 3 more").click()
        assert "Not established." in visit.text("#topic-11")
        assert "Not established." not in visit.text("#topic-0")


def test_the_page_draws_how_many_topics_at_least_so_many_documents_have(browser, page_file):
    with visiting(browser, page_file) as visit:
        chart = visit.page.locator("#facts figure svg")
        assert chart.get_attribute("aria-label") == "42 in at least one document, 13 in at least 5"
        assert "5 or more" in chart.text_content()
        assert "Topics in at least so many documents" in visit.text("#facts figcaption")


def test_of_one_time_there_are_no_curves_but_popularities(browser, tmp_path):
    posterior = MadeUpTopics({"a b c": (1.0, 0.5, 3.0), "d e f": (1.0, 0.3, 2.0)}, times=[1.0])
    write_page(posterior, tmp_path / "report.html")
    with visiting(browser, tmp_path / "report.html", width=380) as visit:
        assert visit.page.locator("#popularity tbody tr").all_inner_texts() == [
            "a · b · c\t50%\t38% to 63%",
            "d · e · f\t30%\t23% to 38%",
        ]
        assert visit.count("#lifelines") == visit.count("main path.curve") == visit.count("button.pick") == 0
        assert "In 50% of the documents (38% to 63%)." in visit.text("#topic-0")
