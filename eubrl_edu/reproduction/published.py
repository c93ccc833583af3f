"""The numbers printed in the paper's tables, and how ours stand beside them."""

from importlib import resources

import numpy as np
import pandas as pd

# These numbers of Table 1 come from other papers, which used other priors.
BORROWED = {("chain", "BEETLE"), ("chain", "BOSS"), ("chain", "Mean-MDP")}
WITHIN = 3.0


def published() -> pd.DataFrame:
    """The paper's tables 1 and 3.

    Returns
    -------
    pandas.DataFrame
        Columns ``study agent value standard_error``; the error is NaN where the paper gives none,
        and the smaller one where it gives a range.
    """
    source = resources.files("eubrl_edu.reproduction").joinpath("published.csv")
    with source.open(encoding="utf-8") as file:
        table = pd.read_csv(file)
    return pd.DataFrame(
        {
            "study": table.study.str.split().str[0],
            "agent": table.agent,
            "value": table.value.astype(float),
            "standard_error": table.standard_error.astype("string")
            .str.split()
            .str[0]
            .astype("Float64")
            .astype(float),
        }
    )


def beside_published(frame: pd.DataFrame) -> pd.DataFrame:
    """Our mean returns of 1000 steps beside the published ones.

    Parameters
    ----------
    frame : pandas.DataFrame
        Runs of the studies, as `run_study` returns them.

    Returns
    -------
    pandas.DataFrame
        A row for each published number: ``study agent value standard_error seeds mean error
        difference score reached``, where ``score`` is the difference in combined standard errors
        and ``reached`` says whether ours is at least the published value minus three of them.
        Where nothing was run, ours are NaN.
    """
    rows = []
    for row in published().to_dict("records"):
        returns = frame[(frame.study == row["study"]) & (frame.agent == row["agent"])].return_1000
        mean = returns.mean() if len(returns) else np.nan
        # An error that the paper does not print is taken for 0, the strictest choice.
        theirs = 0.0 if np.isnan(row["standard_error"]) else row["standard_error"]
        error = returns.sem() if len(returns) > 1 else np.nan
        combined = float(np.hypot(error, theirs))
        difference = mean - row["value"]
        # Runs without any spread beside a number without one: printed numbers are rounded.
        if combined == 0.0:
            combined = 0.5
        rows.append(
            row
            | {
                "seeds": len(returns),
                "mean": mean,
                "error": error,
                "difference": difference,
                "score": difference / combined,
                "reached": bool(difference >= -WITHIN * combined),
            }
        )
    return pd.DataFrame(rows)
