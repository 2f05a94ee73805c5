package io.tidemark.collect;

/** Is told, about once a second and from a thread of the collection, how far it has come. */
@FunctionalInterface
public interface ProgressListener {
  /** Listens to nothing. */
  ProgressListener NONE = progress -> {};

  void progress(Progress progress);
}
