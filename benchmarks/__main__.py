"""Run every benchmark and write ``benchmarks/RESULTS.md``: ``python -m benchmarks``."""

import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

from benchmarks import bench_lab, bench_planning, bench_runs, bench_start

RESULTS = Path(__file__).with_name("RESULTS.md")


def first_import() -> str:
    """How long the first ``import eubrl_edu`` of a process takes, by its own clock."""
    code = "import time; t = time.perf_counter(); import eubrl_edu; print(time.perf_counter() - t)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return f"`import eubrl_edu` takes {1e3 * float(found.stdout):.0f} ms."


PARTS = {
    "The start": bench_start.run,
    "Planning": bench_planning.run,
    "Whole runs": bench_runs.run,
    "A lab, from key press to new picture": bench_lab.run,
    "First import": first_import,
}


def main() -> None:
    """Run, write, and print."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    written = [
        "# Benchmarks",
        f"Written by `make bench` on {date.today()}: Python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} cores, load average {load:.1f} at the start. "
        "Seconds depend on the machine; read the ratios, which come from one run.",
    ]
    for title, run in PARTS.items():
        written.append(f"## {title}\n\n{run()}")
        # At once: what is measured stays if a later part fails.
        RESULTS.write_text("\n\n".join(written) + "\n", encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
