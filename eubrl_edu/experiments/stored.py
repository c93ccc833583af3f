"""A store as a table, whatever wrote its rows."""

from pathlib import Path

import pandas as pd

from eubrl_edu.experiments.columns import COLUMNS
from eubrl_edu.experiments.store import Store


def read_store(path: str | Path) -> pd.DataFrame:
    """Read all runs that a store holds.

    Parameters
    ----------
    path : str or path
        A file written by ``run_study(..., store=path)``; it is only read.

    Returns
    -------
    pandas.DataFrame
        The columns of `run_study`, then ``settings``, a text that tells cells apart, and
        ``version``: the package's, and the hash of the sources that the run was computed by.

    Raises
    ------
    ValueError
        If the file is damaged or is not a store.
    OSError
        If it is not there or cannot be read.
    """
    with Store(path) as store:
        if not store.path.is_file():
            raise FileNotFoundError(f"the store {str(path)!r} is not there")
        frame = pd.DataFrame(store.every_row(), columns=[*COLUMNS, "settings", "version"])
    return frame.astype({"solved": "boolean", "return_1000": float})
