"""Attention: stimuli, anomalies, and the reaction time between perceiving and acting."""
