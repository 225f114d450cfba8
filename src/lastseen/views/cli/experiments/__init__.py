"""Commands that evaluate predictors, searches and crews, and run sweeps."""
