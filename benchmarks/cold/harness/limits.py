"""Limits memory and requests, with cgroups of version 1 or 2, whichever the machine has.

The memory limit is for the page cache and for the kernel's inodes and names (kmem). What the
process itself has is added to it all the time: a JVM's heap is charged outside, since the process
joins when it is filled, but its code and threads come later.

Version 2 limits requests only for the processes in a cgroup: what kernel threads write for a
journal goes past it. Version 1 limits the device as such. (Version 2 is written to the kernel's
documentation and has not been tried on a machine without version 1.)
"""

import contextlib
import os
import threading

from harness import machine

INTERVAL = 0.05


def is_v1():
    return os.path.exists(machine.V1_MEMORY + "/memory.limit_in_bytes")


@contextlib.contextmanager
def throttle(device, iops):
    """Limits the requests to the device; for version 2 in `Cgroup`."""
    if iops == 0 or not is_v1():
        yield
        return
    number = machine.read("/sys/block/%s/dev" % device).strip()
    files = ["%s/blkio.throttle.%s_iops_device" % (machine.V1_BLKIO, way)
             for way in ("read", "write")]
    if any(line.startswith(number + " ") for file in files
           for line in machine.read(file).splitlines()):
        raise RuntimeError("/dev/%s has a limit already" % device)
    try:
        for file in files:
            machine.write(file, "%s %d" % (number, iops))
        yield
    finally:
        for file in files:
            machine.write(file, "%s 0" % number)


class Cgroup:
    """A memory cgroup for one run."""

    def __init__(self, memory, device, iops):
        self.memory = memory
        self.v1 = is_v1()
        root = machine.V1_MEMORY if self.v1 else machine.V2
        self.path = "%s/tidemark-bench-%d" % (root, os.getpid())
        self.limit_file = "memory.limit_in_bytes" if self.v1 else "memory.max"
        self.own_field = "rss" if self.v1 else "anon"
        self.device, self.iops = device, iops
        self.own_peak = self.peak = 0
        self.ended = threading.Event()
        self.follower = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self):
        if not self.v1:
            machine.write(machine.V2 + "/cgroup.subtree_control", "+memory +io")
        os.mkdir(self.path)
        try:
            self._limit(0)
            if not self.v1 and self.iops:
                number = machine.read("/sys/block/%s/dev" % self.device).strip()
                self._write("io.max", "%s riops=%d wiops=%d" % (number, self.iops, self.iops))
        except BaseException:
            os.rmdir(self.path)
            raise
        self.follower.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.follower.join()
        machine.retry("rmdir", self.path)

    def procs(self):
        return self.path + "/cgroup.procs"

    def join(self, pid):
        """Moves a process in; false when it has ended."""
        try:
            machine.write(self.procs(), str(pid))
            return True
        except ProcessLookupError:
            return False

    def usage_peak(self):
        """The most that was charged: caches and what the process took after it had joined."""
        for file in ("memory.max_usage_in_bytes", "memory.peak"):
            with contextlib.suppress(FileNotFoundError):
                return int(machine.read(self.path + "/" + file))
        return 0

    def killed(self):
        file = "memory.oom_control" if self.v1 else "memory.events"
        return any(line.split()[0] == "oom_kill" and int(line.split()[1]) > 0
                   for line in machine.read(self.path + "/" + file).splitlines())

    def _write(self, file, text):
        machine.write(self.path + "/" + file, text)

    def _limit(self, own):
        self._write(self.limit_file, str(self.memory + own))

    def _own(self):
        for line in machine.read(self.path + "/memory.stat").splitlines():
            name, value = line.split()
            if name == self.own_field:
                return int(value)
        return 0

    def _follow(self):
        last = 0
        while not self.ended.wait(INTERVAL):
            own = self._own()
            self.own_peak = max(self.own_peak, own)
            if abs(own - last) >= 1 << 20:
                # A limit below what is in use is an error until the kernel has reclaimed enough.
                with contextlib.suppress(OSError):
                    self._limit(own)
                    last = own
