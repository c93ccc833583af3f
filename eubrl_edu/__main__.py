"""``python -m eubrl_edu`` is the command line."""

import sys

from eubrl_edu.cli import main

if __name__ == "__main__":
    sys.exit(main())
