"""Cost of one visitor's press over HTTP: a move compared to the bare view, both through gunicorn and PostgreSQL."""

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from tools.bench.figures import print_figure
from tools.proof import units
from tools.proof.people import TOKEN, Browser, read_ticket
from tools.proof.programs import Program
from tools.proof.stage import Stage


def compare_presses(stage: Stage, questions: list[list[str]], most: int = 60) -> None:
    """Alternate moves and bare presses, so that both run under the same load. The workers are stopped meanwhile."""
    ready = [tickets[0] for tickets in questions if read_ticket(tickets[0]).line][:most]
    assert ready, "every match has ended: LOAD lays more tables"
    with stage.keeper.lock, start_bare_server(stage) as socket:
        for worker in stage.workers:
            worker.stop()
        site, bare = Browser(stage.own_door), Browser(socket)
        shown = site.get(f"/move/{ready[0]}/")
        token = TOKEN.search(shown.page)
        assert token
        body = urlencode({"csrfmiddlewaretoken": token[1]})
        moves, visits, inserts = [], [], []
        for ticket in ready:
            post, visit = press(site, ticket, body, shown.cookie)
            moves.append(post)
            visits.append(visit)
            inserts.append(press(bare, ticket, body, shown.cookie)[0])
    one, other = statistics.median(moves), statistics.median(inserts)
    print_figure(f"a move by POST, median of {len(moves)}", 1_000 * one, "ms")
    print_figure("the bare view, median", 1_000 * other, "ms")
    print_figure("moves by POST against the bare view", other / one, "", at_least=0.5)
    slow = find_percentile(moves, 95) / find_percentile(inserts, 95)
    print_figure("p95 of a move by POST against the bare view's", slow, "times", at_most=2)
    print_figure("a move with the page it leads to, median", 1_000 * statistics.median(visits), "ms")


def press(browser: Browser, ticket: str, body: str, cookie: str) -> tuple[float, float]:
    """Return the seconds of the answer alone, and with the page it redirects to."""
    began = time.perf_counter()
    answer = browser.ask("POST", f"/move/{ticket}/", body, cookie)
    answered = time.perf_counter() - began
    if answer.leads_to:
        browser.get(answer.leads_to)
    return answered, time.perf_counter() - began


@contextmanager
def start_bare_server(stage: Stage) -> Iterator[str]:
    """Start another gunicorn with the bare view, and yield the path of its socket."""
    socket = str(stage.home / "bare.sock")
    command = [*units.read_commands("beanpost-web")[0][:-1], "tools.proof.bare"]
    env = stage.env | {"GUNICORN_BIND": f"unix:{socket}"}
    server = Program("bare", command, log=stage.home / "bare.log", env=env, cwd=units.ROOT)
    server.log.unlink(missing_ok=True)
    server.start()
    try:
        server.wait_until(lambda: "Booting worker" in server.log.read_text() and Path(socket).exists())
        yield socket
    finally:
        server.stop()


def find_percentile(times: Sequence[float], part: int) -> float:
    return statistics.quantiles(times, n=100)[part - 1] if len(times) > 1 else sum(times)
