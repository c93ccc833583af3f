"""Run every benchmark and write ``benchmarks/RESULTS.md``: ``python -m benchmarks``."""

import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

from benchmarks import bench_lab, bench_planning, bench_runs, bench_start

RESULTS = Path(__file__).with_name("RESULTS.md")


def first_import_seconds() -> float:
    """How long the first ``import eubrl_edu`` of a process takes, by its own clock."""
    code = "import time; t = time.perf_counter(); import eubrl_edu; print(time.perf_counter() - t)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(found.stdout)


def main() -> None:
    """Run, write, and print."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    parts = [
        "# Benchmarks",
        f"Written by `make bench` on {date.today()}: Python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} cores, load average {load:.1f} at the start. "
        "Seconds depend on the machine; read the ratios, which come from one run.",
        "## The start\n\n" + bench_start.run(),
        "## Planning\n\n" + bench_planning.run(),
        "## Whole runs\n\n" + bench_runs.run(),
        "## A lab, from key press to new picture\n\n" + bench_lab.run(),
        f"## First import\n\n`import eubrl_edu` takes {1e3 * first_import_seconds():.0f} ms.",
    ]
    RESULTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
