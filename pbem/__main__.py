"""`python -m pbem` is the same program as `pbem`."""

from pbem.cli import main

if __name__ == "__main__":
    main()
