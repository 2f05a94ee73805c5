"""Makes a file system image with a store in it, and copies of it."""

import contextlib
import json
import os

from harness import machine

HERE = os.path.dirname(os.path.realpath(__file__))

MAKE = {
    # No lazy initialisation: the kernel would write inode tables while the run is measured.
    "ext4": ["mkfs.ext4", "-q", "-F", "-i", "8192",
             "-E", "lazy_itable_init=0,lazy_journal_init=0"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
    "btrfs": ["mkfs.btrfs", "-q", "-f"],
}
PACKAGES = {"ext4": "e2fsprogs", "xfs": "xfsprogs", "btrfs": "btrfs-progs"}


def compile_program(bench, name):
    """Compiles one of the C programs into the harness's directory, once."""
    program = bench.path(name)
    if not os.path.exists(program):
        machine.require_program("cc", "gcc libc6-dev")
        bench.enter_context(machine.new_file(program))
        machine.call("cc", "-O2", "-w", "-o", program,
                     os.path.join(HERE, "..", name + ".c"))
    return program


class Image:
    """An image file with a store, and what a collection must leave of it."""

    def __init__(self, fs, path, counts, stack):
        self.fs, self.path, self.counts, self.stack = fs, path, counts, stack

    def megabytes(self):
        return os.stat(self.path).st_blocks * 512 >> 20

    def digests(self):
        """The names of the chunks that must be left."""
        with open(self.path + ".expect.bin", "rb") as file:
            data = file.read(self.counts["survivors"] * 32).hex()
        return {data[i:i + 64] for i in range(0, len(data), 64)}

    @contextlib.contextmanager
    def copy(self, bench):
        with machine.new_file(bench.path("copy")) as path:
            machine.call("cp", "--sparse=always", self.path, path)
            yield path

    def remove(self):
        self.stack.close()


def size_for(a):
    """Room for a block, an inode and a directory entry for each chunk, and for the indexes."""
    chunks = a.chunks * (1 + a.garbage + a.pending) + (65536 if a.all_dirs else a.dirs)
    return (512 << 20) + int(chunks * 8192 * 1.15) + a.chunks * 40 * a.snapshots


def make(bench, fs, a):
    machine.require_program(MAKE[fs][0], PACKAGES[fs])
    store = compile_program(bench, "store")
    stack = bench.enter_context(contextlib.ExitStack())
    path = bench.path("master-" + fs)
    for suffix in ("", ".expect.json", ".expect.bin"):
        stack.enter_context(machine.new_file(path + suffix))
    with open(path, "wb") as file:
        file.truncate(machine.to_bytes(a.image_size) if a.image_size else size_for(a))
    machine.call(*MAKE[fs], path)
    words = [store, "--expect", path]
    for name in ("chunks", "garbage", "pending", "missing", "dirs", "groups", "snapshots",
                 "change", "creation", "seed"):
        words += ["--" + name, str(getattr(a, name))]
    words += [] if a.all_dirs else ["--sparse"]
    with machine.loop_device(path) as device, machine.mounted(device, bench.path("m")) as point:
        machine.call(*words, os.path.join(point, "store"))
    with open(path + ".expect.json", encoding="ascii") as file:
        return Image(fs, path, json.load(file), stack)
