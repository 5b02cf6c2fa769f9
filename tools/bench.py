"""Runs what is in bench/, one after the other, with a PostgreSQL at hand (BENCH_POSTGRES) where there is one."""

import os
import subprocess
import sys
from pathlib import Path

from tools import postgres


def main() -> None:
    measures = sorted(path.stem for path in Path("bench").glob("[a-z]*.py"))
    if not measures:
        sys.exit("There is nothing in bench/ to measure.")
    with postgres.at_hand() as database:
        os.environ["BENCH_POSTGRES"] = database or ""
        for name in measures:
            print(f"\n{name}", flush=True)
            subprocess.run([sys.executable, "-m", f"bench.{name}"], check=True)


if __name__ == "__main__":
    main()
