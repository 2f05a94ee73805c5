/* SHA-256 (FIPS 180-4), so that the programs need no library. */
#ifndef SHA256_H
#define SHA256_H

#include <stdint.h>
#include <string.h>

typedef struct {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[64];
} sha256_t;

static inline uint32_t sha_rotate(uint32_t value, int by) {
  return value >> by | value << (32 - by);
}

static void sha_block(sha256_t *s, const uint8_t *data) {
  static const uint32_t K[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
      0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
      0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
      0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
      0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
      0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++) {
    uint32_t word;
    memcpy(&word, data + 4 * i, 4);
    w[i] = __builtin_bswap32(word);
  }
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (sha_rotate(a, 7) ^ sha_rotate(a, 18) ^ a >> 3) + w[i - 7] +
           (sha_rotate(b, 17) ^ sha_rotate(b, 19) ^ b >> 10);
  }
  memcpy(v, s->state, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t e = v[4], a = v[0];
    uint32_t t1 = v[7] + (sha_rotate(e, 6) ^ sha_rotate(e, 11) ^ sha_rotate(e, 25)) +
                  ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
    uint32_t t2 = (sha_rotate(a, 2) ^ sha_rotate(a, 13) ^ sha_rotate(a, 22)) +
                  ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) {
    s->state[i] += v[i];
  }
}

static void sha_begin(sha256_t *s) {
  static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->state, START, sizeof START);
  s->length = 0;
}

static void sha_add(sha256_t *s, const void *data, size_t size) {
  const uint8_t *from = data;
  while (size > 0) {
    size_t at = s->length % 64, part = 64 - at < size ? 64 - at : size;
    memcpy(s->block + at, from, part);
    s->length += part;
    from += part;
    size -= part;
    if (at + part == 64) {
      sha_block(s, s->block);
    }
  }
}

static void sha_end(sha256_t *s, uint8_t into[32]) {
  static const uint8_t PADDING[64] = {0x80};
  uint64_t bits = __builtin_bswap64(s->length * 8);
  sha_add(s, PADDING, 1 + (119 - s->length % 64) % 64);
  sha_add(s, &bits, 8);
  for (int i = 0; i < 8; i++) {
    uint32_t word = __builtin_bswap32(s->state[i]);
    memcpy(into + 4 * i, &word, 4);
  }
}

#endif
