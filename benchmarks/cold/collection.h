/*
 * The parts that both C programs share: memory that does not count, index files, directory
 * listings, and the report.
 */
#ifndef COLLECTION_H
#define COLLECTION_H

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common.h"

#define GRACE_SECONDS 86700 /* 24 h 5 min, as PBS has it by default */

static const struct timespec ATIME_NOW[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};

static struct {
  unsigned long index_files, references, touched, missing, listed, disk, removed, pending, bytes;
} counts;

/* ---- memory ---- */

/*
 * All memory is taken and filled at the start, before the process joins the memory cgroup that
 * BENCH_JOIN names (a file cgroup.procs): the cgroup is then left for the page cache and the
 * kernel's inodes and names, as it is for a JVM whose heap was filled before it joined.
 */
static uint8_t *arena, *arena_end;

static void *take(size_t bytes) {
  bytes = (bytes + 63) & ~(size_t)63;
  errno = 0;
  if (bytes > (size_t)(arena_end - arena)) {
    die("%zu bytes more than the arena has; see --arena", bytes - (arena_end - arena));
  }
  uint8_t *taken = arena;
  arena += bytes;
  return taken;
}

static void begin(size_t bytes) {
  arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
               0);
  if (arena == MAP_FAILED) {
    die("no memory for an arena of %zu bytes", bytes);
  }
  arena_end = arena + bytes;
  const char *cgroup = getenv("BENCH_JOIN");
  if (cgroup) {
    FILE *file = fopen(cgroup, "w");
    if (!file || fprintf(file, "%d", getpid()) < 0 || fclose(file)) {
      die("cannot join %s", cgroup);
    }
  }
}

/* ---- index files ---- */

static char **index_paths;
static size_t index_room;

static int find_index(const char *path, const struct stat *status, int type, struct FTW *where) {
  (void)status;
  const char *name = path + where->base, *dot = strrchr(name, '.');
  if (type == FTW_D && name[0] == '.') {
    return FTW_SKIP_SUBTREE;
  }
  if (type == FTW_F && dot && (!strcmp(dot, ".fidx") || !strcmp(dot, ".didx"))) {
    if (counts.index_files == index_room) {
      index_room = index_room ? 2 * index_room : 64;
      index_paths = realloc(index_paths, index_room * sizeof *index_paths);
    }
    index_paths[counts.index_files++] = strdup(path);
  }
  return FTW_CONTINUE;
}

/* Group by group, the newest snapshot first; a path is .../GROUP/TIME/FILE. */
static int compare_paths(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  const char *time_x = memrchr(x, '/', strrchr(x, '/') - x);
  const char *time_y = memrchr(y, '/', strrchr(y, '/') - y);
  size_t group_x = time_x - x, group_y = time_y - y;
  int order = memcmp(x, y, group_x < group_y ? group_x : group_y);
  if (order == 0) {
    order = (group_x > group_y) - (group_x < group_y);
  }
  return order ? order : strcmp(time_y, time_x);
}

static void read_index(const char *path, void (*reference)(const digest_t *)) {
  static uint8_t block[160 * 6553]; /* whole entries of both kinds */
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || read(fd, block, HEADER) != HEADER) {
    die("cannot read %s", path);
  }
  int fixed = !memcmp(block, FIXED_MAGIC, 8);
  errno = 0;
  if (!fixed && memcmp(block, DYNAMIC_MAGIC, 8)) {
    die("%s is no index file", path);
  }
  size_t stride = fixed ? DIGEST : 8 + DIGEST;
  ssize_t size;
  while ((size = read(fd, block, sizeof block)) > 0) {
    for (uint8_t *entry = block; entry + stride <= block + size; entry += stride) {
      reference((digest_t *)(entry + stride - DIGEST));
      counts.references++;
    }
  }
  if (size < 0) {
    die("cannot read %s", path);
  }
  close(fd);
}

/* Passes every reference of the store on. */
static void read_references(const char *store, void (*reference)(const digest_t *)) {
  if (nftw(store, find_index, 64, FTW_PHYS | FTW_ACTIONRETVAL)) {
    die("cannot walk %s", store);
  }
  qsort(index_paths, counts.index_files, sizeof *index_paths, compare_paths);
  for (size_t i = 0; i < counts.index_files; i++) {
    read_index(index_paths[i], reference);
  }
}

/* ---- directories ---- */

static int open_chunks(const char *store) {
  char path[4096];
  snprintf(path, sizeof path, "%s/.chunks", store);
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    die("cannot open %s", path);
  }
  return fd;
}

/* Returns -1 when there is no such directory. */
static int open_directory(int chunks, unsigned prefix) {
  char name[16];
  snprintf(name, sizeof name, "%04x", prefix);
  int fd = openat(chunks, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno != ENOENT) {
    die("cannot open directory %s", name);
  }
  return fd;
}

/* Reads a chunk's name; false when it is none. */
static int parse_digest(const char *name, digest_t *into) {
  for (int i = 0; i < 2 * DIGEST; i++) {
    int c = name[i], value;
    if (c >= '0' && c <= '9') {
      value = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      value = c - 'a' + 10;
    } else {
      return 0;
    }
    into->bytes[i / 2] = into->bytes[i / 2] << 4 | value;
  }
  return name[2 * DIGEST] == 0;
}

static void list(int fd, uint8_t *buffer, size_t room,
                 void (*entry)(const digest_t *, uint64_t inode)) {
  long size;
  while ((size = syscall(SYS_getdents64, fd, buffer, room)) > 0) {
    for (long at = 0; at < size;) {
      struct dirent64 *found = (struct dirent64 *)(buffer + at);
      digest_t digest;
      if (parse_digest(found->d_name, &digest)) {
        counts.listed++;
        entry(&digest, found->d_ino);
      }
      at += found->d_reclen;
    }
  }
  if (size < 0) {
    die("cannot list a chunk directory");
  }
}

/* ---- the report ---- */

static double phase_began;
static char phases[1024];
static time_t started;

static void start_clock(void) {
  phase_began = seconds_now();
  started = time(NULL);
}

static void end_phase(const char *name) {
  double end = seconds_now();
  size_t at = strlen(phases);
  snprintf(phases + at, sizeof phases - at, "%s{\"name\": \"%s\", \"seconds\": %.3f}",
           at ? ", " : "", name, end - phase_began);
  phase_began = end;
}

/* One line of JSON, with the names that Tidemark's own report has. */
static void print_report(const char *strategy) {
  printf("{\"outcome\": \"done\", \"strategy\": \"%s\", \"index-file-count\": %lu,"
         " \"references\": %lu, \"touched\": %lu, \"missing-chunk-count\": %lu, \"listed\": %lu,"
         " \"disk-chunks\": %lu, \"disk-bytes\": %lu, \"removed-chunks\": %lu,"
         " \"pending-chunks\": %lu, \"phases\": [%s]}\n",
         strategy, counts.index_files, counts.references, counts.touched, counts.missing,
         counts.listed, counts.disk, counts.bytes, counts.removed, counts.pending, phases);
}

/* Examines a chunk and removes it when it is old; `path` is relative to `directory`. */
static void sweep_chunk(int directory, const char *path) {
  struct stat status;
  if (fstatat(directory, path, &status, AT_SYMLINK_NOFOLLOW)) {
    die("cannot examine %s", path);
  }
  if (status.st_atime >= started) {
    counts.disk++;
    counts.bytes += status.st_size;
  } else if (status.st_atime >= started - GRACE_SECONDS) {
    counts.pending++;
  } else if (unlinkat(directory, path, 0)) {
    die("cannot remove %s", path);
  } else {
    counts.removed++;
  }
}

#endif
