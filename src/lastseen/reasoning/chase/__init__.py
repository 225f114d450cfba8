"""Where did they run? One place to run to now, from where the target was last seen and which way it went.

Takes a `Loss` (what the guard knows), gives a `Prediction`. Does not know where the target really is.
"""
