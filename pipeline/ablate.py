"""`python -m pipeline.ablate`."""

import sys

from pipeline.evaluation.ablations import main

if __name__ == "__main__":
    sys.exit(main())
