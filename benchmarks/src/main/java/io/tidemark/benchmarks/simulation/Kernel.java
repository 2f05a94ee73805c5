package io.tidemark.benchmarks.simulation;

/** What system calls on chunks and directories use and change. */
final class Kernel {
  private static final int TOUCH = 1;
  private static final int UNLINK = 2;

  private final Store store;
  private final Layout layout;
  private final Cache cache;
  private final Writes writes;

  Kernel(Store store, Layout layout, Cache cache, Writes writes) {
    this.store = store;
    this.layout = layout;
    this.cache = cache;
    this.writes = writes;
  }

  /** Reads a directory's entries. */
  void list(int directory) {
    openDirectory(directory);
    for (int block = layout.firstListed(directory);
        block <= layout.lastListed(directory);
        block++) {
      cache.use(block);
    }
    if (layout.fs.listingReadsInodes() && directory < store.shape.directories()) {
      for (int i = store.start(directory); i < store.start(directory + 1); i++) {
        cache.use(layout.inode(store.entry(i)));
      }
    }
    writes.operation();
  }

  void touchByName(int chunk) {
    find(chunk);
    change(chunk);
  }

  void touchByHandle(int chunk) {
    open(chunk);
    change(chunk);
  }

  void statByHandle(int chunk) {
    open(chunk);
    writes.operation();
  }

  void stat(int chunk) {
    find(chunk);
    writes.operation();
  }

  /** Removes a chunk that was just looked at. */
  void unlink(int chunk) {
    int directory = store.directory(chunk);
    find(chunk);
    cache.change(layout.leaf(directory, Store.place(chunk)), UNLINK);
    cache.change(layout.directoryInode(directory), 0);
    if (layout.fs.listsApart()) {
      cache.change(layout.listed(directory, chunk), 0);
    }
    cache.change(layout.inode(chunk), 0);
    cache.dropObject(chunk);
    writes.operation();
  }

  /** Gives a chunk a private name, which lies elsewhere in its directory. */
  void setAside(int chunk) {
    int directory = store.directory(chunk);
    find(chunk);
    cache.change(layout.leaf(directory, Store.place(chunk)), UNLINK);
    double aside = Store.place(~chunk);
    for (int depth = 0; depth < layout.indexDepth(); depth++) {
      cache.use(layout.indexBlock(directory, aside, depth));
    }
    cache.change(layout.leaf(directory, aside), UNLINK);
    cache.change(layout.inode(chunk), 0);
    writes.operation();
  }

  private void change(int chunk) {
    cache.change(layout.inode(chunk), TOUCH);
    cache.touchObject(chunk);
    writes.operation();
  }

  private void open(int chunk) {
    if (!cache.useObject(chunk)) {
      cache.use(layout.inode(chunk));
    }
  }

  private void openDirectory(int directory) {
    if (!cache.useObject(store.shape.chunks() + directory)) {
      cache.use(layout.chunksBlock(directory));
      cache.use(layout.directoryInode(directory));
    }
  }

  private void find(int chunk) {
    int directory = store.directory(chunk);
    openDirectory(directory); // a name in memory holds its directory there
    if (!cache.useObject(chunk)) {
      double place = Store.place(chunk);
      for (int depth = 0; depth < layout.indexDepth(); depth++) {
        cache.use(layout.indexBlock(directory, place, depth));
      }
      cache.use(layout.leaf(directory, place));
      cache.use(layout.inode(chunk));
    }
  }
}
