package io.tidemark.guard;

/** Names a tripwire that a run can be told to do without. */
public enum Wire {
  /** The number of index files has fallen by more than half since the last collection. */
  FEWER_INDEXES("--allow-fewer-indexes"),
  /** More than one in a hundred of the chunks in use is missing. */
  MISSING("--allow-missing"),
  /** A chunk directory has lost its chunks. */
  UNEVEN("--allow-uneven");

  private final String option;

  Wire(String option) {
    this.option = option;
  }

  /** Returns the option of the command line that switches it off. */
  public String option() {
    return option;
  }
}
