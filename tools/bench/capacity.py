"""What many matches need, calculated from a short run of the deployment: python -m tools.bench.capacity

People play as fast as they can, and the processor time of each program is divided by the moves. CAPACITY_SECONDS sets
how long. What a match is like comes from other measurements.
"""

import math
import os
import time
from pathlib import Path

from tools.proof.people import Crowd
from tools.proof.stage import Stage, open_stage

SECONDS = float(os.environ.get("CAPACITY_SECONDS", "40"))
TABLES = 80
SIZES = (10_000, 100_000, 1_000_000)
MOVES_A_DAY, EVENING = 4, 4  # per match, and how much busier an evening is: make pace
LETTERS = 1.5  # per move: tools.bench.growth
MATCHES_A_YEAR = 18  # per running match: make pace
RUNNING, YEAR = 0.45, 0.11  # megabytes of a running match, and of an ended one in its first year: tools.bench.growth
BUSY = 0.5  # share of a processor that is in use in the evening
THREADS, WORKERS, OTHERS = 8, 2, 5  # connections per processor: of two web processes and of workers; others per machine
PROCESSORS = 4  # per machine


def main() -> None:
    with open_stage(log_level="WARNING") as stage:
        stage.run("-m", "tools.proof.tables", str(TABLES))
        with Crowd(stage.site, stage.letters) as crowd:
            stage.let_people_move()
            moves, before = len(crowd.diary.accepted), measure_processors(stage)
            time.sleep(SECONDS)
            moves, after = len(crowd.diary.accepted) - moves, measure_processors(stage)
    cost = {name: (after[name] - before[name]) / moves for name in after}
    print(f"Processor time of each of {moves} moves, with its pages and letters:")
    print(", ".join(f"{name} {1000 * seconds:.1f} ms" for name, seconds in cost.items()))
    print(
        "running matches | moves a second in the evening | letters a day | processors: site, PostgreSQL | connections"
    )
    print("  | gigabytes: running, and a year more")
    for matches in SIZES:
        print_row(matches, cost)


def print_row(matches: int, cost: dict[str, float]) -> None:
    rate = matches * MOVES_A_DAY * EVENING / 86_400
    site, database = (math.ceil(rate * cost[name] / BUSY) for name in ("site", "PostgreSQL"))
    connections = site * (THREADS + WORKERS) + math.ceil(site / PROCESSORS) * OTHERS
    disk = f"{matches * RUNNING / 1000:,.0f}, {matches * MATCHES_A_YEAR * YEAR / 1000:,.0f}"
    letters = matches * MOVES_A_DAY * LETTERS
    print(f"{matches:,} | {rate:.0f} | {letters:,.0f} | {site}, {database} | {connections} | {disk}")


def measure_processors(stage: Stage) -> dict[str, float]:
    """Return the seconds of processor time that each part has used, with its children."""
    assert stage.database.process
    assert stage.broker.program.process
    ours = [program.process.pid for program in stage.keeper.programs if program.process and program is not stage.sink]
    parts = {"site": ours, "PostgreSQL": [stage.database.process.pid], "Redis": [stage.broker.program.process.pid]}
    return {name: sum(map(measure_session, leaders)) for name, leaders in parts.items()}


def measure_session(leader: int) -> float:
    """Return the processor time of all processes in a session; each of our programs has one."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == leader:
            ticks += sum(map(int, fields[11:15]))  # its own time, and that of its children that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
