"""The columns of a run, and how a store keeps them: every table of runs has these."""

WHICH_RUN = {
    "study": "TEXT NOT NULL",
    "agent": "TEXT NOT NULL",
    "size": "INTEGER NOT NULL",
    "seed": "INTEGER NOT NULL",
}
WHAT_IT_GAVE = {
    "steps": "INTEGER NOT NULL",
    "episodes": "INTEGER NOT NULL",
    "solved": "INTEGER",
    "total_return": "REAL NOT NULL",
    "return_1000": "REAL",
    "seconds": "REAL NOT NULL",
}
COLUMNS = (*WHICH_RUN, *WHAT_IT_GAVE)
