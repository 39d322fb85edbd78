"""`python -m pbem` is the same program as `pbem`."""

from pbem.edge.cli import main

if __name__ == "__main__":
    main()
