/*
 * Opens files by inode number alone, on ext4, XFS and btrfs; needs CAP_DAC_READ_SEARCH.
 *
 * A file handle is the inode number and a generation, laid out as the file system likes. The handle
 * of a directory serves as the pattern; only the inode number in it is replaced. ext4 and btrfs
 * take generation 0 for any; XFS wants the right one, which the ioctl XFS_IOC_BULKSTAT tells for
 * many inodes at a time, in ascending order as they are wanted here.
 */
#ifndef HANDLE_H
#define HANDLE_H

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

#include "common.h"

#define EXT4_MAGIC 0xef53
#define XFS_MAGIC 0x58465342
#define BTRFS_MAGIC 0x9123683e

/* The kernel's struct xfs_bulk_ireq, and what is wanted of its struct xfs_bulkstat. */
typedef struct {
  uint64_t inode;
  uint32_t flags, wanted, got, group;
  uint64_t reserved[5];
} bulk_request_t;

typedef struct {
  uint64_t inode, unused[7];
  uint32_t generation, unused2[31];
} bulk_status_t;

_Static_assert(sizeof(bulk_request_t) == 64 && sizeof(bulk_status_t) == 192, "as in the kernel");

#define BULK 256
static struct {
  bulk_request_t request;
  bulk_status_t status[BULK];
} bulk;
static uint32_t bulk_at;
#define BULKSTAT _IOR('X', 127, bulk_request_t)

static struct {
  struct file_handle head;
  uint8_t rest[MAX_HANDLE_SZ];
} handle;
static long handle_fs;

static void learn_handles(int directory) {
  struct statfs status;
  int mount;
  handle.head.handle_bytes = MAX_HANDLE_SZ;
  if (fstatfs(directory, &status) ||
      name_to_handle_at(directory, "", &handle.head, &mount, AT_EMPTY_PATH)) {
    die("cannot make a file handle");
  }
  handle_fs = status.f_type;
  /* Type 1 is a 32-bit inode and generation, 0x81 has a 64-bit inode, 0x4d is btrfs's own. */
  int type = handle.head.handle_type;
  errno = 0;
  if (!(handle_fs == EXT4_MAGIC && type == 1) && !(handle_fs == BTRFS_MAGIC && type == 0x4d) &&
      !(handle_fs == XFS_MAGIC && (type == 0x81 || type == 1))) {
    die("no way by handle on this file system (type 0x%lx, handle 0x%x)", handle_fs, type);
  }
}

/* Returns the generation of an inode; callers ask in ascending order. */
static uint32_t generation(int directory, uint64_t inode) {
  while (bulk_at < bulk.request.got && bulk.status[bulk_at].inode < inode) {
    bulk_at++;
  }
  if (bulk_at == bulk.request.got) {
    memset(&bulk.request, 0, sizeof bulk.request);
    bulk.request.inode = inode;
    bulk.request.wanted = BULK;
    bulk_at = 0;
    if (ioctl(directory, BULKSTAT, &bulk)) {
      die("cannot examine inodes from %lu on", inode);
    }
  }
  errno = ENOENT;
  if (bulk_at == bulk.request.got || bulk.status[bulk_at].inode != inode) {
    die("no inode %lu", inode);
  }
  return bulk.status[bulk_at].generation;
}

/* Opens the file with that inode number; `directory` is any one of its file system. */
static int open_inode(int directory, uint64_t inode) {
  uint32_t word = inode, gen = 0;
  if (handle_fs == XFS_MAGIC) {
    gen = generation(directory, inode);
  }
  if (handle_fs == BTRFS_MAGIC) {
    memcpy(handle.head.f_handle, &inode, 8); /* then the subvolume, which stays */
    memcpy(handle.head.f_handle + 16, &gen, 4);
  } else if (handle.head.handle_type == 0x81) {
    memcpy(handle.head.f_handle, &inode, 8);
    memcpy(handle.head.f_handle + 8, &gen, 4);
  } else {
    memcpy(handle.head.f_handle, &word, 4);
    memcpy(handle.head.f_handle + 4, &gen, 4);
  }
  return open_by_handle_at(directory, &handle.head, O_RDONLY | O_NOATIME | O_CLOEXEC);
}

#endif
