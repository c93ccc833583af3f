"""Run what must not hang on the CPU under two other kinds of it: ``python -m tests.cpus``.

A CPU decides in which order a matrix product is summed (OpenBLAS), which of its functions NumPy
and the C library take, and what numba compiles for. All of it can be chosen by the environment:
*haswell* is a desktop of 2013, without AVX-512; *generic* has nothing that is younger than 2005.
Run are the notebooks against their stored words, the test of the two engines, stored runs, and the
report that is made of them.
"""

import os
import subprocess
import sys
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).parents[1]
YOUNGER_THAN_HASWELL = [name for name in __cpu_dispatch__ if "AVX512" in name or name == "X86_V4"]
KINDS = {
    "haswell": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": YOUNGER_THAN_HASWELL,
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL",
    },
    "generic": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": __cpu_dispatch__,
        "NUMBA_CPU_NAME": "generic",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-FMA,-FMA4",
    },
}
TESTS = [
    "tests/engine/test_engine.py",
    "tests/engine/test_stored_runs.py",
    "tests/reproduction/test_stored_report.py",
]


def environment(kind: str) -> dict[str, str]:
    """The environment of a process that takes this machine for one of that kind."""
    chosen = dict(KINDS[kind])
    # NumPy warns of what this machine does not have anyway.
    there = [name for name in chosen["NPY_DISABLE_CPU_FEATURES"] if __cpu_features__.get(name)]
    return os.environ | chosen | {"NPY_DISABLE_CPU_FEATURES": " ".join(there)}


def main(options: list[str]) -> int:
    """Run the tests under each kind; 1 if one fails. Options go to pytest."""
    notebooks = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "notebooks").glob("*.ipynb"))
    failed = []
    for kind in KINDS:
        print(f"As on a CPU of the kind {kind!r}:", flush=True)
        command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", *options]
        done = subprocess.run([*command, *TESTS, *notebooks], cwd=ROOT, env=environment(kind))
        failed += [kind] if done.returncode else []
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
