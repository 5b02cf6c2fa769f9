"""Run the benchmarks in this folder one after the other: all in MEASURES, or those named as arguments.

BENCH_POSTGRES tells them the address of a PostgreSQL server, if there is one.
"""

import os
import subprocess
import sys

from tools import postgres

MEASURES = ("rules", "bots", "moves", "turn", "letters", "post", "sweep", "due", "growth", "office")


def main() -> None:
    with postgres.find_or_start() as database:
        os.environ["BENCH_POSTGRES"] = database or ""
        for name in sys.argv[1:] or MEASURES:
            print(f"\n{name}", flush=True)
            subprocess.run([sys.executable, "-m", f"tools.bench.{name}"], check=True)


if __name__ == "__main__":
    main()
