"""`python -m lastseen` and the `lastseen` command."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from .views.cli.app.main import cli

    cli()


if __name__ == "__main__":
    main()
