package io.tidemark.collect;

import io.tidemark.posix.SystemCalls;
import io.tidemark.report.Point;
import io.tidemark.report.Points;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A server that backs up, prunes, moves and verifies, a step at a time, between those of a run. */
final class ModelServer implements Points, AutoCloseable {
  /*
   * What it does keeps to the order of operations of PBS: a chunk is touched or inserted before the
   * index file that refers to it gets its name; chunks of the last finished snapshot are referred
   * to without a touch, and that snapshot is not pruned meanwhile; a writer holds the shared lock
   * and is in the list of tasks; paths are in the journal before the files move there; insertion and
   * verification exclude each other (the server's own lock). So after any run each chunk of each
   * snapshot must be there, but for those that a verification found corrupt.
   *
   * Time passes with every step. The clock is also set forwards by any amount, and backwards by so
   * much that no writer sees more than four minutes of it; by more when nobody writes. What a run
   * cannot know is left out: a writer whose chunks are older than its own start says, and a clock
   * that is set back and put right again before the run can look at it.
   */
  private static final List<String> NAMESPACES = List.of("", "/ns/a", "/ns/b", "/ns/a/ns/c");
  private static final List<String> GROUPS = List.of("vm/100", "ct/7");
  private static final Instant FIRST = Instant.parse("2020-01-01T00:00:00Z");
  private static final int BUSY_ACTORS = 4;
  /* So many points may have been come to, by other threads, since the run last looked. */
  private static final int POINTS_BEFORE_A_LOOK = 5;

  private static final Set<Point> REMOVAL =
      EnumSet.of(Point.BEFORE_REMOVAL, Point.SET_ASIDE, Point.BEFORE_UNLINK, Point.UNLINKED);
  static final long MOST_BACK_SECONDS = 240;
  private static final Set<Point> READING = EnumSet.range(Point.GROUP_LISTED, Point.INDEX_OPENED);

  /** A snapshot, as it is on disk. */
  static final class Snapshot {
    final String name;
    final Map<String, List<Integer>> indexes = new TreeMap<>();
    boolean finished;
    boolean running;
    boolean pruned;
    int uses;

    Snapshot(String name) {
      this.name = name;
    }
  }

  /** A group, wherever it is. */
  static final class Group {
    final List<Snapshot> snapshots = new ArrayList<>();
    boolean locked;

    Snapshot base() {
      for (int i = snapshots.size() - 1; i >= 0; i--) {
        if (snapshots.get(i).finished && !snapshots.get(i).pruned) {
          return snapshots.get(i);
        }
      }
      return new Snapshot("none");
    }
  }

  /** Somebody who does one thing after the other. */
  interface Actor {
    /** Does the next step; false when there was none left. */
    boolean step(SystemCalls calls);
  }

  final Random random;
  final SetClock clock = new SetClock(FIRST.plus(Duration.ofDays(2000)).plusMillis(500));
  final ModelDisk disk;
  final Map<String, Group> groups = new LinkedHashMap<>();
  final Set<Integer> corrupt = new TreeSet<>();
  final Set<Integer> everCorrupt = new HashSet<>();
  final List<ModelBackup> writers = new ArrayList<>();
  final StringBuilder history = new StringBuilder();
  private final List<Actor> actors = new ArrayList<>();
  private final Thread owner = Thread.currentThread();
  private final SystemCalls own;
  private int snapshotNumber;
  private long latest;
  private long setBackAt = -POINTS_BEFORE_A_LOOK;
  private int permille;
  private int mutex;
  private boolean setBack;
  long steps;
  long failedUploads;
  long moves;
  long verified;
  long reachedPoints;
  private Runnable interruption = () -> {};
  private long interruptedAt = Long.MAX_VALUE;

  ModelServer(Path root, long seed) {
    random = new Random(seed);
    disk = new ModelDisk(root, this::stamp);
    latest = clock.wallNanos();
    own = disk.calls();
    for (String namespace : NAMESPACES) {
      for (String type : List.of("vm", "ct")) {
        ModelDisk.makeDirectory(disk.base + namespace + "/" + type);
      }
    }
    GROUPS.forEach(group -> groups.put("/" + group, new Group()));
  }

  /* The kernel stamps files with a clock that lags by up to a tick. */
  private synchronized long stamp() {
    return clock.wallNanos() - random.nextInt(10_000_000);
  }

  /** Lets others do something at about so many of a thousand points of the runs to come. */
  void busy(int permille) {
    this.permille = permille;
  }

  /** Runs something at a point of the next run, whose number is counted from now on. */
  void interrupt(long point, Runnable what) {
    interruption = what;
    interruptedAt = point < 0 ? Long.MAX_VALUE : reachedPoints + point;
  }

  @Override
  public synchronized void reach(Point point) {
    reachedPoints++;
    int chance = REMOVAL.contains(point) ? 5 * permille : permille;
    int oneIn =
        (READING.contains(point) || point == Point.BEFORE_JOURNAL) && random.nextBoolean() ? 40 : 3;
    if (random.nextInt(1000) < chance) {
      note("@" + point);
      if (Thread.currentThread() == owner) {
        steps(own, oneIn);
      } else {
        try (SystemCalls calls = disk.calls()) {
          steps(calls, oneIn);
        }
      }
    }
    if (reachedPoints >= interruptedAt) {
      interruptedAt = Long.MAX_VALUE;
      note("interrupted at " + point);
      interruption.run();
    }
  }

  /* A whole backup and a prune after it take some forty steps, between two index files. */
  private void steps(SystemCalls calls, int oneIn) {
    setBack = false;
    do {
      step(calls);
    } while (random.nextInt(oneIn) > 0);
    setBack = false;
  }

  /** Does something between two runs. */
  synchronized void work(int count) {
    for (int i = 0; i < count; i++) {
      step(own);
    }
  }

  void note(String what) {
    history.append(what).append('\n');
  }

  private void step(SystemCalls calls) {
    steps++;
    pass(Duration.ofNanos(random.nextInt(50_000_000)));
    int kind = random.nextInt(100);
    if (kind < 4) {
      turnClock();
    } else if (kind < 6) {
      verify(calls);
    } else if (actors.isEmpty() || (kind < 35 && actors.size() < BUSY_ACTORS)) {
      start(calls);
    } else {
      Actor actor = actors.get(random.nextInt(actors.size()));
      if (!actor.step(calls)) {
        actors.remove(actor);
      }
    }
  }

  private void start(SystemCalls calls) {
    int kind = random.nextInt(10);
    String path = pick(groups.keySet());
    Group group = group(path);
    if (kind < 6) {
      if (!group.locked) {
        ModelBackup.start(this, path, calls).ifPresent(actors::add);
      }
    } else if (kind < 9) {
      List<Snapshot> free =
          group.snapshots.stream().filter(s -> !s.running && !s.pruned && s.uses == 0).toList();
      if (!free.isEmpty()) {
        Snapshot snapshot = pick(free);
        snapshot.pruned = true;
        note("prune " + path + "/" + snapshot.name);
        actors.add(new ModelPrune(this, group, path, snapshot));
      }
    } else if (!group.locked && group.snapshots.stream().noneMatch(s -> s.running || s.pruned)) {
      String name = path.substring(path.lastIndexOf('/', path.lastIndexOf('/') - 1));
      String to = pick(NAMESPACES) + name;
      Group target = groups.computeIfAbsent(to, created -> new Group());
      if (!to.equals(path)
          && !target.locked
          && target.snapshots.stream().noneMatch(s -> s.running || s.pruned)) {
        actors.add(new ModelMove(this, path, group, to, target));
      }
    }
  }

  Group group(String path) {
    return groups.computeIfAbsent(path, created -> new Group());
  }

  <T> T pick(Collection<T> from) {
    List<T> list = List.copyOf(from);
    return list.get(random.nextInt(list.size()));
  }

  /** Returns a chunk to insert: any, or just as often one that no snapshot refers to. */
  int chunkToInsert() {
    if (random.nextBoolean()) {
      Set<Integer> unused = new TreeSet<>();
      for (int i = 0; i < ModelDisk.DIGESTS; i++) {
        unused.add(i);
      }
      for (Group group : groups.values()) {
        group.snapshots.forEach(s -> s.indexes.values().forEach(unused::removeAll));
      }
      if (!unused.isEmpty()) {
        return pick(unused);
      }
    }
    return random.nextInt(ModelDisk.DIGESTS);
  }

  /** Returns the name of a snapshot that is newer than all others. */
  String newSnapshot() {
    return FIRST.plus(Duration.ofDays(snapshotNumber++)).toString();
  }

  private void pass(Duration time) {
    clock.pass(time);
    latest = Math.max(latest, clock.wallNanos());
  }

  /** Lets time pass between two runs. */
  synchronized void passTime(Duration time) {
    pass(time);
  }

  /* No run can see a clock that is set back and put right between two of its looks. */
  private void turnClock() {
    if (setBack) {
      return;
    }
    Duration by =
        switch (random.nextInt(4)) {
          case 0 -> Duration.ofSeconds(random.nextInt(5));
          case 1 -> Duration.ofSeconds(random.nextInt(4000));
          case 2 -> Duration.ofHours(random.nextInt(30));
          default -> Duration.ofMinutes(random.nextInt(90));
        };
    int kind = random.nextInt(3);
    if (kind < 2 && reachedPoints < setBackAt + POINTS_BEFORE_A_LOOK) {
      return;
    }
    switch (kind) {
      case 0 -> pass(by);
      case 1 -> {
        clock.jump(by);
        latest = Math.max(latest, clock.wallNanos());
      }
      default -> {
        long seconds = by.toSeconds();
        for (ModelBackup writer : writers) {
          seconds = Math.min(seconds, MOST_BACK_SECONDS - writer.turnedBack);
        }
        for (ModelBackup writer : writers) {
          writer.turnedBack += seconds;
        }
        clock.jump(Duration.ofSeconds(-seconds));
        setBack = true;
        by = Duration.ofSeconds(-seconds);
        setBackAt = reachedPoints;
      }
    }
    note("clock " + by);
  }

  /* Not while a chunk is inserted. */
  private void verify(SystemCalls calls) {
    int digest = random.nextInt(ModelDisk.DIGESTS);
    if (mutex > 0 || !disk.exists(calls, digest, "")) {
      return;
    }
    for (int number = 0; number < 10; number++) {
      String bad = "." + number + ".bad";
      if (!disk.exists(calls, digest, bad)) {
        if (disk.rename(calls, digest, "", bad)) {
          note("verify renames " + digest);
          verified++;
          corrupt.add(digest);
          everCorrupt.add(digest);
        }
        return;
      }
    }
  }

  /** Enters what only one writer does at a time; false when another is in it. */
  boolean enter() {
    if (mutex > 0) {
      return false;
    }
    mutex++;
    return true;
  }

  void leave() {
    mutex--;
  }

  /** Writes the list of tasks anew. */
  void writersChanged(SystemCalls calls) {
    disk.writeTasks(calls, writers.stream().map(writer -> writer.startSeconds).toList());
  }

  /** Lets everybody who is at work come to an end. */
  synchronized void finishAll() {
    while (!actors.isEmpty()) {
      actors.removeIf(actor -> !actor.step(own));
    }
  }

  /** Lets so much time pass that nothing is younger than {@code grace}. */
  synchronized void passGrace(Duration grace) {
    long wall = clock.wallNanos();
    if (latest > wall) {
      clock.jump(Duration.ofNanos(latest - wall));
    }
    pass(grace.plusSeconds(2));
  }

  @Override
  public void close() {
    own.close();
  }

  /** Returns what is missing now of snapshots that exist: none, or a description. */
  synchronized String missing(boolean asideCounts) {
    Set<String> files = disk.files();
    for (Map.Entry<String, Group> group : groups.entrySet()) {
      for (Snapshot snapshot : group.getValue().snapshots) {
        if (!snapshot.pruned) {
          for (Map.Entry<String, List<Integer>> index : snapshot.indexes.entrySet()) {
            for (int digest : index.getValue()) {
              if (!isThere(files, digest, asideCounts)) {
                return "chunk %d (%s) of %s/%s/%s"
                    .formatted(
                        digest, disk.name(digest), group.getKey(), snapshot.name, index.getKey());
              }
            }
          }
        }
      }
    }
    return "";
  }

  private boolean isThere(Set<String> files, int digest, boolean asideCounts) {
    String name = disk.name(digest);
    return files.contains(name)
        || (asideCounts && files.contains(name + ".tidemark"))
        || (corrupt.contains(digest)
            && files.stream().anyMatch(file -> file.startsWith(name) && file.endsWith(".bad")));
  }

  /** Returns the files that nobody needs, when nobody is at work. */
  synchronized Set<String> garbage() {
    Set<String> files = disk.files();
    Set<String> garbage = new TreeSet<>(files);
    for (Group group : groups.values()) {
      for (Snapshot snapshot : group.snapshots) {
        for (List<Integer> digests : snapshot.indexes.values()) {
          for (int digest : digests) {
            String name = disk.name(digest);
            if (!garbage.remove(name) && !files.contains(name)) {
              garbage.removeIf(file -> file.startsWith(name) && file.endsWith(".bad"));
            }
          }
        }
      }
    }
    return garbage;
  }
}
