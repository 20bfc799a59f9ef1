"""`python -m pipeline.bench`."""

import sys

from pipeline.evaluation.timings import main

if __name__ == "__main__":
    sys.exit(main())
