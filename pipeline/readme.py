"""`python -m pipeline.readme`."""

import sys

from pipeline.evaluation.readme import main

if __name__ == "__main__":
    sys.exit(main())
