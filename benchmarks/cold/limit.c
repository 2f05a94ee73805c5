/*
 * Collects a store with as little work as it takes: the limit for the strategy `ordered`.
 *
 * limit [--by name|handle] [--sweep directory|inode] [--sync N] [--arena MB] STORE
 *
 * Read all index files and sort the digests; list each directory once and join it with them, which
 * gives the chunks to touch and those that nobody needs; touch in ascending inode order; examine
 * and remove the others, by handle looked at in the same order first. It prints one line of JSON.
 *
 * --sync N has each N touches written before the next, so that they do not fill a small memory.
 *
 * It takes no lock, makes no check and counts a chunk as missing that appeared after its directory
 * was listed: only for stores that were made to be measured.
 */
#define _GNU_SOURCE
#include <getopt.h>

#include "collection.h"
#include "handle.h"

typedef struct {
  uint64_t inode;
  uint32_t mark;
} touch_t;

typedef struct {
  uint64_t inode;
  digest_t digest;
} entry_t;

static digest_t *marks;
static size_t mark_count, mark_room;
static touch_t *touches;
static size_t touch_count;
static entry_t *candidates;
static size_t candidate_count, candidate_room;
static uint32_t *by_inode_order; /* of the candidates */

/* ---- collect ---- */

/* Sorts the marks and drops duplicates: by two bytes into the other half of the room, then each. */
static void sort_marks(void) {
  static uint32_t ends[DIRECTORIES + 1];
  digest_t *other = marks + mark_room;
  memset(ends, 0, sizeof ends);
  for (size_t i = 0; i < mark_count; i++) {
    ends[prefix_of(marks + i) + 1]++;
  }
  for (int i = 1; i <= DIRECTORIES; i++) {
    ends[i] += ends[i - 1];
  }
  for (size_t i = 0; i < mark_count; i++) {
    other[ends[prefix_of(marks + i)]++] = marks[i];
  }
  size_t kept = 0;
  for (int prefix = 0; prefix < DIRECTORIES; prefix++) {
    size_t from = prefix ? ends[prefix - 1] : 0;
    qsort(other + from, ends[prefix] - from, DIGEST, compare_digests);
    for (size_t i = from; i < ends[prefix]; i++) {
      if (kept == 0 || memcmp(marks + kept - 1, other + i, DIGEST)) {
        marks[kept++] = other[i];
      }
    }
  }
  mark_count = kept;
}

static void collect(const digest_t *digest) {
  if (mark_count == mark_room) {
    sort_marks();
    errno = 0;
    if (mark_count > mark_room / 4 * 3) {
      die("too many chunks for the arena; see --arena");
    }
  }
  marks[mark_count++] = *digest;
}

/* ---- list and join ---- */

static entry_t *listed;
static size_t listed_count, listed_room = 1 << 16;

static void add_entry(const digest_t *digest, uint64_t inode) {
  errno = 0;
  if (listed_count == listed_room) {
    die("a directory has more than %zu chunks", listed_room);
  }
  listed[listed_count++] = (entry_t){inode, *digest};
}

static int compare_entries(const void *a, const void *b) {
  return memcmp(&((const entry_t *)a)->digest, &((const entry_t *)b)->digest, DIGEST);
}

/* Joins one directory with the marks from `mark` on, and returns where the next one begins. */
static size_t join(size_t mark, unsigned prefix) {
  qsort(listed, listed_count, sizeof *listed, compare_entries);
  size_t i = 0;
  while (i < listed_count || (mark < mark_count && prefix_of(marks + mark) == prefix)) {
    int order = i == listed_count                                              ? -1
                : mark == mark_count || prefix_of(marks + mark) != prefix ? 1
                                                                               : 0;
    if (order == 0) {
      order = memcmp(marks + mark, &listed[i].digest, DIGEST);
    }
    if (order < 0) {
      counts.missing++;
      mark++;
    } else if (order == 0) {
      touches[touch_count++] = (touch_t){listed[i++].inode, mark++};
    } else if (candidate_count < candidate_room) {
      candidates[candidate_count++] = listed[i++];
    } else {
      errno = 0;
      die("too many unused chunks for the arena; see --arena");
    }
  }
  return mark;
}

static void walk(int chunks) {
  size_t room = 1 << 20, mark = 0;
  uint8_t *buffer = take(room);
  listed = take(listed_room * sizeof *listed);
  touches = take(mark_count * sizeof *touches);
  candidates = (entry_t *)arena;
  candidate_room = (arena_end - arena) / sizeof *candidates;
  for (unsigned prefix = 0; prefix < DIRECTORIES; prefix++) {
    listed_count = 0;
    int fd = open_directory(chunks, prefix);
    if (fd >= 0) {
      list(fd, buffer, room, add_entry);
      close(fd);
    }
    mark = join(mark, prefix);
  }
  arena = (uint8_t *)(candidates + candidate_count);
}

/* ---- touch and sweep ---- */

static int compare_inodes(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b; /* the inode comes first */
  return (x > y) - (x < y);
}

static void touch_by_name(int chunks, const digest_t *digest) {
  char path[70];
  struct stat status;
  chunk_path(digest, path);
  if (utimensat(chunks, path, ATIME_NOW, AT_SYMLINK_NOFOLLOW) ||
      fstatat(chunks, path, &status, AT_SYMLINK_NOFOLLOW)) {
    die("cannot touch %s", path);
  }
  counts.touched++;
  counts.bytes += status.st_size;
}

static void touch_by_handle(int chunks, uint64_t inode) {
  struct stat status;
  int fd = open_inode(chunks, inode);
  if (fd < 0 || futimens(fd, ATIME_NOW) || fstat(fd, &status) || status.st_ino != inode) {
    die("cannot touch inode %lu", inode);
  }
  close(fd);
  counts.touched++;
  counts.bytes += status.st_size;
}

/* By handle, looks at the candidates on the way, and drops those that are too young to go. */
static size_t judge(int chunks, size_t next, uint64_t before) {
  struct stat status;
  for (; next < candidate_count && candidates[by_inode_order[next]].inode < before; next++) {
    entry_t *candidate = candidates + by_inode_order[next];
    int fd = open_inode(chunks, candidate->inode);
    if (fd >= 0 && !fstat(fd, &status) && status.st_atime >= started - GRACE_SECONDS) {
      counts.pending++;
      candidate->inode = 0;
    }
    close(fd);
  }
  return next;
}

static int compare_candidates(const void *a, const void *b) {
  uint64_t x = candidates[*(const uint32_t *)a].inode, y = candidates[*(const uint32_t *)b].inode;
  return (x > y) - (x < y);
}

static void touch(int chunks, int by_handle, size_t sync_after) {
  size_t judged = 0;
  if (by_handle) {
    by_inode_order = take(candidate_count * sizeof *by_inode_order);
    for (size_t i = 0; i < candidate_count; i++) {
      by_inode_order[i] = i;
    }
    qsort(by_inode_order, candidate_count, sizeof *by_inode_order, compare_candidates);
  }
  qsort(touches, touch_count, sizeof *touches, compare_inodes);
  for (size_t i = 0; i < touch_count; i++) {
    if (sync_after && i && i % sync_after == 0 && syncfs(chunks)) {
      die("cannot write the touches");
    }
    if (by_handle) {
      judged = judge(chunks, judged, touches[i].inode);
      touch_by_handle(chunks, touches[i].inode);
    } else {
      touch_by_name(chunks, marks + touches[i].mark);
    }
  }
  if (by_handle) {
    judge(chunks, judged, UINT64_MAX);
  }
  counts.disk = counts.touched;
  if (sync_after && syncfs(chunks)) {
    die("cannot write the touches");
  }
}

static void sweep(int chunks, int by_inode) {
  char path[70];
  if (by_inode) {
    qsort(candidates, candidate_count, sizeof *candidates, compare_inodes);
  }
  for (size_t i = 0; i < candidate_count; i++) {
    if (candidates[i].inode) {
      chunk_path(&candidates[i].digest, path);
      sweep_chunk(chunks, path);
    }
  }
}

static int choose(const char *value, const char *no, const char *yes) {
  errno = 0;
  if (strcmp(value, no) && strcmp(value, yes)) {
    die("%s is neither %s nor %s", value, no, yes);
  }
  return !strcmp(value, yes);
}

static const struct option LONG[] = {
    {"by", 1, 0, 'b'}, {"sweep", 1, 0, 's'}, {"sync", 1, 0, 'y'}, {"arena", 1, 0, 'a'}, {0}};

int main(int count, char **arguments) {
  size_t megabytes = 256, sync_after = 0;
  int by_handle = 0, by_inode = 0, option;
  while ((option = getopt_long(count, arguments, "", LONG, NULL)) != -1) {
    switch (option) {
      case 'b': by_handle = choose(optarg, "name", "handle"); break;
      case 's': by_inode = choose(optarg, "directory", "inode"); break;
      case 'y': sync_after = strtoul(optarg, NULL, 0); break;
      case 'a': megabytes = strtoul(optarg, NULL, 0); break;
      default: exit(2);
    }
  }
  errno = 0;
  if (optind != count - 1) {
    die("limit [--by name|handle] [--sweep directory|inode] [--sync N] [--arena MB] STORE");
  }
  begin(megabytes << 20);
  mark_room = (megabytes << 20) / 4 / DIGEST;
  marks = take(2 * mark_room * DIGEST);
  start_clock();
  read_references(arguments[optind], collect);
  sort_marks();
  end_phase("collect");
  int chunks = open_chunks(arguments[optind]);
  walk(chunks);
  end_phase("list");
  if (by_handle) {
    learn_handles(chunks);
  }
  touch(chunks, by_handle, sync_after);
  end_phase("touch");
  sweep(chunks, by_inode);
  end_phase("sweep");
  print_report(by_handle ? "limit-c by handle" : "limit-c by name");
  return 0;
}
