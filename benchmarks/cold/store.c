/*
 * Writes a datastore in the format of Proxmox Backup Server, to measure collections on.
 *
 * store [options] DIR      (DIR must not exist)
 *
 * The same options and seed make the same store, but for the times. Each chunk is a valid plain
 * blob of 28 bytes, named by the SHA-256 of its payload; with fewer than 65,536 directories the
 * first two bytes are changed, so that a small store has directories as full as a large one.
 *
 * Beside DIR (or at --expect PREFIX) it writes what a collection started now must do:
 * DIR.expect.json has the counts, and DIR.expect.bin the 32-byte digests of the survivors and then
 * of the chunks to be removed, each part in ascending order. It holds for ten hours: by then the
 * young garbage grows old.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "sha256.h"

#define DAY 86400.0
#define PAYLOAD 16
#define CHUNK_BYTES (8 + 4 + PAYLOAD)

typedef enum { USED, OLD, YOUNG, MISSING, KINDS } kind_t;
typedef enum { BY_INDEX, BY_RANDOM, BY_DIGEST } creation_t;

typedef struct {
  digest_t digest;
  uint8_t payload[PAYLOAD];
  uint32_t kind;
  uint32_t age; /* seconds since its last use */
} chunk_t;

static struct {
  long chunks, missing, dirs, groups, snapshots;
  double garbage, pending, change;
  int sparse;
  creation_t creation;
  uint64_t seed;
  const char *root, *expect;
} options = {.chunks = 2000, .dirs = DIRECTORIES, .groups = 6, .snapshots = 5, .garbage = 0.25,
             .pending = 0.05, .change = 0.1, .creation = BY_INDEX, .seed = 1};

static chunk_t *chunks;
static uint32_t chunk_count, chunk_room, used_count;
static uint64_t references, index_files, index_bytes;
static time_t now;

/* splitmix64: every seed is a good one. */
static uint64_t random_word(void) {
  uint64_t z = options.seed += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static double random_between(double low, double high) {
  return low + (high - low) * (random_word() >> 11) / 9007199254740992.0;
}

static uint32_t random_below(uint32_t limit) {
  return (random_word() >> 32) * limit >> 32;
}

static uint32_t new_chunk(kind_t kind, double youngest, double oldest) {
  if (chunk_count == chunk_room) {
    chunk_room = chunk_room ? 2 * chunk_room : 1 << 16;
    chunks = realloc(chunks, chunk_room * sizeof *chunks);
    if (!chunks) {
      die("no memory for %u chunks", chunk_room);
    }
  }
  chunk_t *chunk = chunks + chunk_count;
  for (int i = 0; i < PAYLOAD; i += 8) {
    uint64_t word = random_word();
    memcpy(chunk->payload + i, &word, 8);
  }
  sha256_t sha;
  sha_begin(&sha);
  sha_add(&sha, chunk->payload, PAYLOAD);
  sha_end(&sha, chunk->digest.bytes);
  if (options.dirs < DIRECTORIES) {
    unsigned prefix = prefix_of(&chunk->digest) % options.dirs * (DIRECTORIES / options.dirs);
    chunk->digest.bytes[0] = prefix >> 8;
    chunk->digest.bytes[1] = prefix;
  }
  chunk->kind = kind;
  chunk->age = random_between(youngest, oldest) * DAY;
  return chunk_count++;
}

/* ---- files ---- */

static void make_directory(int at, const char *path, mode_t mode) {
  if (mkdirat(at, path, mode) && errno != EEXIST) {
    die("cannot make directory %s", path);
  }
}

static void write_file(int at, const char *path, const void *data, size_t size) {
  int fd = openat(at, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd)) {
    die("cannot write %s", path);
  }
}

static uint32_t crc32(const uint8_t *data, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc;
}

static size_t blob(uint8_t *into, const void *payload, size_t size) {
  uint32_t crc = crc32(payload, size);
  memcpy(into, BLOB_MAGIC, 8);
  memcpy(into + 8, &crc, 4);
  memcpy(into + 12, payload, size);
  return 12 + size;
}

static void write_chunk(int chunks_fd, const chunk_t *chunk) {
  char path[70];
  uint8_t data[CHUNK_BYTES];
  chunk_path(&chunk->digest, path);
  size_t size = blob(data, chunk->payload, PAYLOAD);
  int fd = openat(chunks_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  struct timespec times[2] = {{.tv_sec = now - chunk->age}, {.tv_sec = now - chunk->age - 60}};
  if (fd < 0 || write(fd, data, size) != (ssize_t)size || futimens(fd, times) || close(fd)) {
    die("cannot write chunk %s", path);
  }
}

/* ---- index files ---- */

/* Writes one index file: a fixed one for machines, else a dynamic one. */
static void write_index(int at, const char *path, int fixed, const uint32_t *image, long size,
                        time_t when) {
  size_t stride = fixed ? DIGEST : 8 + DIGEST;
  uint8_t *data = calloc(1, HEADER + size * stride);
  if (!data) {
    die("no memory for an index of %ld chunks", size);
  }
  uint64_t end = 0, chunk_size = 4 << 20;
  for (long i = 0; i < size; i++) {
    uint8_t *entry = data + HEADER + i * stride;
    end += fixed ? chunk_size : (64 << 10) + random_below(8 << 20);
    if (!fixed) {
      memcpy(entry, &end, 8);
    }
    memcpy(entry + stride - DIGEST, chunks[image[i]].digest.bytes, DIGEST);
  }
  uint64_t created = when, uuid[2] = {random_word(), random_word()};
  memcpy(data, fixed ? FIXED_MAGIC : DYNAMIC_MAGIC, 8);
  memcpy(data + 8, uuid, 16);
  memcpy(data + 24, &created, 8);
  sha256_t sha;
  sha_begin(&sha);
  sha_add(&sha, data + HEADER, size * stride);
  sha_end(&sha, data + 32);
  if (fixed) {
    memcpy(data + 64, &end, 8);
    memcpy(data + 72, &chunk_size, 8);
  }
  write_file(at, path, data, HEADER + size * stride);
  free(data);
  references += size;
  index_bytes += end;
  index_files++;
}

static void write_snapshot(int root, long group, long snapshot, const uint32_t *image, long size) {
  static const char *TYPES[] = {"vm", "ct", "host"};
  const char *type = TYPES[group % 3];
  time_t when = now - (options.snapshots - snapshot) * (time_t)DAY - group * 60;
  char path[256], stamp[32], manifest[256];
  uint8_t data[512];
  struct tm utc;
  strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&when, &utc));
  make_directory(root, type, 0755);
  snprintf(path, sizeof path, "%s/%ld", type, 100 + group);
  make_directory(root, path, 0755);
  if (snapshot == 0) {
    snprintf(path, sizeof path, "%s/%ld/owner", type, 100 + group);
    write_file(root, path, "root@pam\n", 9);
  }
  snprintf(path, sizeof path, "%s/%ld/%s", type, 100 + group, stamp);
  make_directory(root, path, 0755);
  snprintf(path, sizeof path, "%s/%ld/%s/index.json.blob", type, 100 + group, stamp);
  int length = snprintf(manifest, sizeof manifest,
                        "{\"backup-type\":\"%s\",\"backup-id\":\"%ld\",\"backup-time\":%ld}", type,
                        100 + group, (long)when);
  write_file(root, path, data, blob(data, manifest, length));
  int fixed = group % 3 == 0;
  snprintf(path, sizeof path, "%s/%ld/%s/%s", type, 100 + group, stamp,
           fixed ? "drive-scsi0.img.fidx" : "root.pxar.didx");
  write_index(root, path, fixed, image, size, when);
}

/*
 * Each group is a machine whose image changes a little from snapshot to snapshot. A chunk is made
 * when a snapshot first needs it, oldest snapshots first and groups in turn, as a store grows; one
 * in fifty is a chunk that some group has already.
 */
static void write_snapshots(int root) {
  long room = options.chunks / options.groups / (1 + (options.snapshots - 1) * options.change);
  room = room > 0 ? room : 1;
  uint32_t *images = malloc(options.groups * (room + options.missing) * sizeof *images);
  if (!images) {
    die("no memory for the images");
  }
  for (long s = 0; s < options.snapshots; s++) {
    for (long g = 0; g < options.groups; g++) {
      uint32_t *image = images + g * (room + options.missing);
      long changes = s == 0 ? room : (long)(room * options.change);
      for (long i = 0; i < changes; i++) {
        /* One position in each of as many equal parts, so that none is changed twice. */
        long part = i * room / changes, next = (i + 1) * room / changes;
        long at = part + random_below(next - part);
        image[at] = used_count > 0 && random_below(50) == 0 ? random_below(used_count)
                                                            : new_chunk(USED, 3, 400);
        used_count = chunk_count;
      }
      long size = room;
      if (s == options.snapshots - 1 && g == options.groups - 1) {
        for (long i = 0; i < options.missing; i++) {
          image[size++] = new_chunk(MISSING, 9, 9);
        }
      }
      write_snapshot(root, g, s, image, size);
    }
  }
  free(images);
}

/* ---- the expectation ---- */

static digest_t *append_sorted(digest_t *into, unsigned kinds) {
  digest_t *end = into;
  for (uint32_t i = 0; i < chunk_count; i++) {
    if (kinds & 1u << chunks[i].kind) {
      *end++ = chunks[i].digest;
    }
  }
  qsort(into, end - into, DIGEST, compare_digests);
  return end;
}

static void write_expectation(void) {
  char path[4096];
  long count[KINDS] = {0};
  for (uint32_t i = 0; i < chunk_count; i++) {
    count[chunks[i].kind]++;
  }
  digest_t *digests = malloc(chunk_count * sizeof *digests);
  if (!digests) {
    die("no memory for the expectation");
  }
  digest_t *removed = append_sorted(digests, 1u << USED | 1u << YOUNG);
  digest_t *end = append_sorted(removed, 1u << OLD);
  snprintf(path, sizeof path, "%s.expect.bin", options.expect);
  FILE *file = fopen(path, "w");
  if (!file || fwrite(digests, DIGEST, end - digests, file) != (size_t)(end - digests) ||
      fclose(file)) {
    die("cannot write %s", path);
  }
  snprintf(path, sizeof path, "%s.expect.json", options.expect);
  file = fopen(path, "w");
  if (!file) {
    die("cannot write %s", path);
  }
  fprintf(file,
          "{\"made\": %ld, \"index-file-count\": %lu, \"index-data-bytes\": %lu,"
          " \"references\": %lu, \"disk-chunks\": %ld, \"removed-chunks\": %ld,"
          " \"pending-chunks\": %ld, \"missing-chunks\": %ld, \"survivors\": %ld,"
          " \"chunk-bytes\": %d}\n",
          (long)now, index_files, index_bytes, references, count[USED], count[OLD], count[YOUNG],
          count[MISSING], count[USED] + count[YOUNG], CHUNK_BYTES);
  if (fclose(file)) {
    die("cannot write %s", path);
  }
  free(digests);
  printf("%lu index files, %lu references, %ld chunks in use, %ld old garbage, %ld young garbage,"
         " %ld missing\n",
         index_files, references, count[USED], count[OLD], count[YOUNG], count[MISSING]);
}

static void write_chunks(int root) {
  static uint8_t made[DIRECTORIES];
  char name[16];
  make_directory(root, ".chunks", 0750);
  int fd = openat(root, ".chunks", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    die("cannot open .chunks");
  }
  /* The access-time check of a collection wants bb9f for its own chunk. */
  made[0xbb9f] = 1;
  for (uint32_t i = 0; i < chunk_count; i++) {
    made[prefix_of(&chunks[i].digest)] = 1;
  }
  for (unsigned i = 0; i < DIRECTORIES; i++) {
    if (made[i] || !options.sparse) {
      snprintf(name, sizeof name, "%04x", i);
      make_directory(fd, name, 0750);
    }
  }
  if (options.creation == BY_RANDOM) {
    for (uint32_t i = chunk_count; i > 1; i--) {
      uint32_t other = random_below(i);
      chunk_t chunk = chunks[i - 1];
      chunks[i - 1] = chunks[other];
      chunks[other] = chunk;
    }
  } else if (options.creation == BY_DIGEST) {
    qsort(chunks, chunk_count, sizeof *chunks, compare_digests); /* the digest comes first */
  }
  for (uint32_t i = 0; i < chunk_count; i++) {
    if (chunks[i].kind != MISSING) {
      write_chunk(fd, chunks + i);
    }
  }
  close(fd);
}

/* ---- the command line ---- */

static const struct option LONG[] = {
    {"chunks", 1, 0, 'c'},  {"garbage", 1, 0, 'g'},   {"pending", 1, 0, 'p'},
    {"missing", 1, 0, 'm'}, {"dirs", 1, 0, 'd'},      {"groups", 1, 0, 'G'},
    {"change", 1, 0, 'x'},  {"snapshots", 1, 0, 's'}, {"creation", 1, 0, 'o'},
    {"sparse", 0, 0, 'S'},  {"seed", 1, 0, 'r'},      {"expect", 1, 0, 'e'},
    {"help", 0, 0, 'h'},    {0}};

static const char USAGE[] =
    "store [options] DIR: writes a datastore to measure collections on\n"
    "  --chunks N       chunks in use, about (2000)\n"
    "  --garbage X      old chunks that nobody needs, as a share of those in use (0.25)\n"
    "  --pending X      young chunks that nobody needs, likewise (0.05)\n"
    "  --missing N      chunks that an index requires and that do not exist (0)\n"
    "  --dirs N         use that many chunk directories, a power of two (65536)\n"
    "  --sparse         make only the chunk directories that are used\n"
    "  --groups N       machines (6)\n"
    "  --snapshots N    snapshots a machine (5)\n"
    "  --change X       share of an image that changes from snapshot to snapshot (0.1)\n"
    "  --creation ORDER of chunks, and so of inodes: index, as a store grows; random, as long\n"
    "                   churn makes it; digest, as a copy of a store has it (index)\n"
    "  --seed N         (1)\n"
    "  --expect PREFIX  where the expectation goes (DIR)\n";

static creation_t creation_of(const char *name) {
  static const char *NAMES[] = {"index", "random", "digest"};
  for (int i = 0; i < 3; i++) {
    if (!strcmp(name, NAMES[i])) {
      return i;
    }
  }
  errno = 0;
  die("store: unknown order %s", name);
}

static void parse(int count, char **arguments) {
  int option;
  while ((option = getopt_long(count, arguments, "", LONG, NULL)) != -1) {
    switch (option) {
      case 'c': options.chunks = atol(optarg); break;
      case 'g': options.garbage = atof(optarg); break;
      case 'p': options.pending = atof(optarg); break;
      case 'm': options.missing = atol(optarg); break;
      case 'd': options.dirs = atol(optarg); break;
      case 'G': options.groups = atol(optarg); break;
      case 's': options.snapshots = atol(optarg); break;
      case 'x': options.change = atof(optarg); break;
      case 'o': options.creation = creation_of(optarg); break;
      case 'S': options.sparse = 1; break;
      case 'r': options.seed = strtoull(optarg, NULL, 0); break;
      case 'e': options.expect = optarg; break;
      case 'h': fputs(USAGE, stdout); exit(0);
      default: exit(2);
    }
  }
  errno = 0;
  if (optind != count - 1) {
    die("%s", USAGE);
  }
  if (options.chunks < 1 || options.groups < 1 || options.snapshots < 1 || options.dirs < 1 ||
      options.dirs > DIRECTORIES || (options.dirs & (options.dirs - 1)) || options.missing < 0 ||
      options.change < 0 || options.change > 1) {
    die("store: a number is out of range; see --help");
  }
  options.root = arguments[optind];
  options.expect = options.expect ? options.expect : options.root;
}

int main(int count, char **arguments) {
  parse(count, arguments);
  now = time(NULL);
  umask(022);
  if (mkdir(options.root, 0755)) {
    die("cannot make %s", options.root);
  }
  int root = open(options.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) {
    die("cannot open %s", options.root);
  }
  write_file(root, ".lock", "", 0);
  write_snapshots(root);
  for (long i = 0; i < (long)(used_count * options.garbage); i++) {
    new_chunk(OLD, 2, 300);
  }
  for (long i = 0; i < (long)(used_count * options.pending); i++) {
    new_chunk(YOUNG, 0.01, 0.5);
  }
  write_chunks(root);
  write_expectation();
  return 0;
}
