"""The studio: play a level in the browser, watch guards think, and ask why they act as they do.

A game thread steps the world and records it; a server on the loopback interface passes its frames to pages and their
messages to it. The page itself is plain files in `static`.
"""
