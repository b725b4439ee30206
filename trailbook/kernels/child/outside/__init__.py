"""What a run does beyond the notebook: files, network, clock, chance."""
