/* What the programs of the cold-store harness share: errors, time, digests and SHA-256. */
#ifndef COMMON_H
#define COMMON_H

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DIRECTORIES 65536
#define DIGEST 32
#define HEADER 4096

/* An index file or a blob begins with one of these. */
static const uint8_t FIXED_MAGIC[8] = {0x2f, 0x7f, 0x41, 0xed, 0x91, 0xfd, 0x0f, 0xcd};
static const uint8_t DYNAMIC_MAGIC[8] = {0x1c, 0x91, 0x4e, 0xa5, 0x19, 0xba, 0xb3, 0xcd};
static const uint8_t BLOB_MAGIC[8] = {0x42, 0xab, 0x38, 0x07, 0xbe, 0x83, 0x70, 0xa1};

typedef struct {
  uint8_t bytes[DIGEST];
} digest_t;

/* Ends the program with a message and, unless errno is 0, the reason. */
__attribute__((noreturn, unused, format(printf, 1, 2))) static void die(const char *format, ...) {
  int error = errno;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s%s\n", error ? ": " : "", error ? strerror(error) : "");
  exit(1);
}

static inline double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static inline uint64_t big_endian(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
  return __builtin_bswap64(value);
}

static inline unsigned prefix_of(const digest_t *digest) {
  return digest->bytes[0] << 8 | digest->bytes[1];
}

/* Writes "abcd/<64 hex>" and a closing zero: 70 bytes. */
static inline void chunk_path(const digest_t *digest, char *into) {
  static const char HEX[] = "0123456789abcdef";
  for (int i = 0; i < DIGEST; i++) {
    into[5 + 2 * i] = HEX[digest->bytes[i] >> 4];
    into[6 + 2 * i] = HEX[digest->bytes[i] & 15];
  }
  memcpy(into, into + 5, 4);
  into[4] = '/';
  into[69] = 0;
}

__attribute__((unused)) static int compare_digests(const void *a, const void *b) {
  return memcmp(a, b, DIGEST);
}

#endif
