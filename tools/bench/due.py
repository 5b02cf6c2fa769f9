"""Time-outs per second when many questions fall due at once: with one worker, and with two on PostgreSQL."""

import subprocess
import sys
import tempfile
import time
from datetime import timedelta

from tools.bench.figures import print_figure, scale_effort
from tools.bench.moves import run_on_each_database

MATCHES = scale_effort(600)
GOAL = 10_000 / 60  # questions a second, with two workers: ten thousand within a minute
GAIN = 1.4
MAX_RATIO = 1.3
MOVES = scale_effort(100, at_least=20)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_on_each_database("tools.bench.due", folder)


def measure_on(name: str) -> None:
    from tools.bench import fixtures  # noqa: PLC0415 (needs the database settings)

    with tempfile.TemporaryDirectory() as folder:
        fixtures.name_database(folder, name="due")
        with fixtures.open_database():
            seat_everybody()
            move = measure_move()
            one, cost = measure_speed(workers=1)
            print_figure(f"{name}: processor time of a move", move, "ms")
            print_figure(f"{name}: processor time of a time-out", cost, "ms")
            print_figure(f"{name}: a time-out against a move", cost / move, "times", at_most=MAX_RATIO)
            print_figure(f"{name}: time-outs, one worker", one, "a second")
            if name == "SQLite":  # it has one writer
                return
            two, _ = measure_speed(workers=2)
            print_figure(f"{name}: time-outs, two workers", two, "a second", at_least=GOAL)
            print_figure(f"{name}: two workers against one", two / one, "times", at_least=GAIN)
            four, _ = measure_speed(workers=4)
            print_figure(f"{name}: time-outs, four workers", four, "a second")


def seat_everybody() -> None:
    from tests.friends import seat_friends  # noqa: PLC0415
    from tools.bench.fixtures import NOW, analyze_tables  # noqa: PLC0415

    for n in range(MATCHES):
        day = NOW - timedelta(days=MATCHES - n)  # a player may invite twenty people a day
        seat_friends(secret=n.to_bytes(32, "big"), now=day)
    analyze_tables()


def measure_move() -> float:
    """Return the processor time of a whole move in this process, in milliseconds."""
    from tools.bench.fixtures import prepare_whole_moves  # noqa: PLC0415

    moves = prepare_whole_moves(MOVES)
    began = time.process_time()
    for move in moves:
        move()
    return 1000 * (time.process_time() - began) / len(moves)


def measure_speed(workers: int) -> tuple[float, float]:
    """Let every question fall due. Return how many are dealt with in a second, and the processor time of each."""
    from django.db import connection  # noqa: PLC0415

    from beanpost.play.models import Wait  # noqa: PLC0415
    from tools.bench.fixtures import NOW  # noqa: PLC0415

    Wait.objects.update(due_at=NOW - timedelta(seconds=1), remind_at=None)
    count = Wait.objects.count()
    where = str(connection.settings_dict["NAME"])
    connection.close()
    command = [sys.executable, "-m", "tools.bench.due", "work", where]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(workers)
    ]
    for worker in running:
        assert worker.stdout
        worker.stdout.readline()  # it is ready
    began = time.perf_counter()
    for worker in running:
        assert worker.stdin
        worker.stdin.write("\n")
        worker.stdin.flush()
    answers = [worker.communicate()[0].split() for worker in running]
    took = time.perf_counter() - began
    done, busy = sum(int(answer[0]) for answer in answers), sum(float(answer[1]) for answer in answers)
    assert done >= count, f"{done} of {count} questions were dealt with."
    return count / took, 1000 * busy / done


def work(database: str) -> None:
    """Wait for a line on stdin, then time out everything that is due, as a worker does."""
    from django.db import connection  # noqa: PLC0415

    from tools.bench.fixtures import NOW  # noqa: PLC0415

    connection.settings_dict["NAME"] = database
    from beanpost.play.timekeeping import timeouts  # noqa: PLC0415

    connection.ensure_connection()
    print("ready", flush=True)
    sys.stdin.readline()
    done, began = 0, time.process_time()
    while some := timeouts.time_out_all(NOW):
        done += some
    print(done, time.process_time() - began, flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["work", database]:
            work(database)
        case [name]:
            measure_on(name)
        case _:
            main()
