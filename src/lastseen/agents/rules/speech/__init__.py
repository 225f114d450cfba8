"""Speech: speakers, lines and answers, memory and turn-taking."""
