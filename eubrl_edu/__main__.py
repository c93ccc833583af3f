"""``python -m eubrl_edu`` is the command line."""

import sys

from eubrl_edu.cli import console

if __name__ == "__main__":
    sys.exit(console())
