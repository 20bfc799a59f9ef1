"""`python -m pipeline.fetch`."""

import sys

from pipeline.data.fetch import main

if __name__ == "__main__":
    sys.exit(main())
