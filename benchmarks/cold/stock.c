/*
 * Collects a store in the order of PBS, to compare with: what a collection costs in C.
 *
 * stock [--arena MB] [--cache N] STORE
 *
 * The mark touches each reference in index order, newest snapshots first, by its full path, behind
 * a cache of the 2^20 digests used last. The sweep visits directory by directory in the order of
 * readdir, with glibc's buffer of 32 KiB. It prints one line of JSON.
 *
 * It takes no lock and makes no check: only for stores that were made to be measured.
 */
#define _GNU_SOURCE
#include <getopt.h>

#include "collection.h"

/* ---- the cache: a hash table with chains, and a ring in order of use; 0 is no entry ---- */

typedef struct {
  digest_t digest;
  uint32_t chained, older, newer;
} entry_t;

static entry_t *entries;
static uint32_t *buckets;
static uint32_t bucket_mask, entry_count, capacity = 1 << 20;

static void make_cache(void) {
  bucket_mask = 1;
  while (bucket_mask < capacity) {
    bucket_mask <<= 1;
  }
  buckets = take(bucket_mask * sizeof *buckets);
  entries = take((capacity + 1ul) * sizeof *entries); /* entry 0 closes the ring */
  bucket_mask--;
}

static uint32_t *bucket_of(const digest_t *digest) {
  return buckets + (big_endian(digest->bytes + 8) & bucket_mask);
}

static void take_out(uint32_t i) {
  entries[entries[i].older].newer = entries[i].newer;
  entries[entries[i].newer].older = entries[i].older;
}

static void put_newest(uint32_t i) {
  uint32_t newest = entries[0].older;
  entries[i].older = newest;
  entries[i].newer = 0;
  entries[newest].newer = i;
  entries[0].older = i;
}

static uint32_t take_oldest(void) {
  uint32_t oldest = entries[0].newer;
  take_out(oldest);
  uint32_t *link = bucket_of(&entries[oldest].digest);
  while (*link != oldest) {
    link = &entries[*link].chained;
  }
  *link = entries[oldest].chained;
  return oldest;
}

/* Tells whether the digest was there, and makes it the newest. */
static int seen(const digest_t *digest) {
  uint32_t *bucket = bucket_of(digest), i = *bucket;
  while (i && memcmp(&entries[i].digest, digest, DIGEST)) {
    i = entries[i].chained;
  }
  if (i) {
    take_out(i);
    put_newest(i);
    return 1;
  }
  i = entry_count < capacity ? ++entry_count : take_oldest();
  entries[i].digest = *digest;
  entries[i].chained = *bucket;
  *bucket = i;
  put_newest(i);
  return 0;
}

/* ---- mark and sweep ---- */

static char path[4096];
static size_t path_length;

static void mark(const digest_t *digest) {
  if (capacity > 0 && seen(digest)) {
    return;
  }
  chunk_path(digest, path + path_length);
  if (utimensat(AT_FDCWD, path, ATIME_NOW, AT_SYMLINK_NOFOLLOW) == 0) {
    counts.touched++;
  } else if (errno == ENOENT) {
    counts.missing++;
  } else {
    die("cannot touch %s", path);
  }
}

static int swept_directory;

static void sweep_entry(const digest_t *digest, uint64_t inode) {
  (void)inode;
  char name[70];
  chunk_path(digest, name);
  sweep_chunk(swept_directory, name + 5);
}

static void sweep(const char *store) {
  static uint8_t buffer[32768];
  int chunks = open_chunks(store);
  for (unsigned prefix = 0; prefix < DIRECTORIES; prefix++) {
    swept_directory = open_directory(chunks, prefix);
    if (swept_directory >= 0) {
      list(swept_directory, buffer, sizeof buffer, sweep_entry);
      close(swept_directory);
    }
  }
}

static const struct option LONG[] = {{"arena", 1, 0, 'a'}, {"cache", 1, 0, 'c'}, {0}};

int main(int count, char **arguments) {
  size_t megabytes = 128;
  int option;
  while ((option = getopt_long(count, arguments, "", LONG, NULL)) != -1) {
    switch (option) {
      case 'a': megabytes = strtoul(optarg, NULL, 0); break;
      case 'c': capacity = strtoul(optarg, NULL, 0); break;
      default: exit(2);
    }
  }
  errno = 0;
  if (optind != count - 1) {
    die("stock [--arena MB] [--cache N] STORE");
  }
  const char *store = arguments[optind];
  path_length = snprintf(path, sizeof path - 70, "%s/.chunks/", store);
  begin(megabytes << 20);
  make_cache();
  start_clock();
  read_references(store, mark);
  end_phase("mark");
  sweep(store);
  end_phase("sweep");
  print_report("stock-c");
  return 0;
}
