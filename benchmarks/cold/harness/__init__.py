"""The parts of the cold-store harness; see ../run."""
