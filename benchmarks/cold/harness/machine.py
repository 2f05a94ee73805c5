"""What the harness takes from the machine, and gives back: files, mounts, loop devices, cgroups.

Whatever is made is entered on a stack together with the way to unmake it, at once. The stack is
unwound at the end, on an error, and on SIGINT, SIGTERM and SIGHUP. Nothing is unmade that is not on
the stack: a name that exists already is an error, and a device is released only while the image
that was put on it is still there.
"""

import contextlib
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time

V1_MEMORY = "/sys/fs/cgroup/memory"
V1_BLKIO = "/sys/fs/cgroup/blkio"
V2 = "/sys/fs/cgroup"


def say(text):
    print(text, file=sys.stderr, flush=True)


def require_root():
    if sys.platform != "linux" or os.geteuid() != 0:
        sys.exit("this needs Linux and root: it mounts file systems and sets cgroups up")


def to_bytes(text):
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(float(text[:-1]) * units[text[-1].upper()]) if text[-1].upper() in units else int(text)


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def call(*words, **more):
    """Runs a program and returns what it prints; an error shows what it said."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, **more)
    if done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(words), (done.stderr or done.stdout).strip()))
    return done.stdout


def require_program(program, package):
    if shutil.which(program) is None:
        if shutil.which("apt-get") is None:
            sys.exit("%s is missing: install %s" % (program, package))
        say("installing %s" % package)
        call("apt-get", "install", "-y", "-q", package,
             env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def describe():
    model = [line.split(":")[1].strip() for line in read("/proc/cpuinfo").splitlines()
             if line.startswith("model name")]
    return {"kernel": platform.release(), "cpu": model[0] if model else platform.machine(),
            "cpus": os.cpu_count(), "load": os.getloadavg()[0], "date": time.strftime("%F"),
            "memory": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")}


def device_counts(device):
    """Reads and writes, requests and bytes, since the device was made."""
    fields = [int(x) for x in read("/sys/block/%s/stat" % device).split()]
    return {"reads": fields[0], "read-bytes": fields[2] * 512,
            "writes": fields[4], "written-bytes": fields[6] * 512}


class Stopped(BaseException):
    """A signal asked the harness to end; no `except Exception` holds it up."""


_making = []  # not empty: something is being made that must be noted before the end
_asked = []  # the signal that came meanwhile


def _stop(number, _frame):
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)  # unmaking is not to be interrupted
    if _making:
        _asked.append(number)
    else:
        raise Stopped(number)


@contextlib.contextmanager
def making():
    """Holds a signal back until what is made in here is known to its owner."""
    _making.append(True)
    try:
        yield
    finally:
        _making.pop()
        if _asked and not _making:
            raise Stopped(_asked[0])


class Bench(contextlib.ExitStack):
    """A directory of the harness's own, and the stack of what it made."""

    def __init__(self, parent):
        super().__init__()
        self.parent = parent

    def __enter__(self):
        super().__enter__()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _stop)
        with making():
            self.directory = tempfile.mkdtemp(prefix="tidemark-bench-", dir=self.parent)
            self.callback(os.rmdir, self.directory)
        return self

    def __exit__(self, kind, value, trace):
        # The stack goes on when one step fails, and raises that error at its end.
        super().__exit__(kind, value, trace)
        if kind is Stopped:
            say("stopped by %s; everything is cleaned up" % signal.Signals(value.args[0]).name)
            os._exit(128 + value.args[0])
        return False

    def path(self, name):
        return os.path.join(self.directory, name)


@contextlib.contextmanager
def new_file(path):
    """A file of that name, made by whoever enters; it must not exist."""
    if os.path.lexists(path):
        raise RuntimeError("%s exists already" % path)
    try:
        yield path
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


@contextlib.contextmanager
def new_directory(path):
    made = False
    try:
        with making():
            os.mkdir(path)
            made = True
        yield path
    finally:
        if made:
            os.rmdir(path)


@contextlib.contextmanager
def loop_device(image, *options):
    """Puts an image on a loop device and gives the device's name, such as loop3."""
    name = None
    try:
        with making():
            name = os.path.basename(call("losetup", "--find", "--show", *options, image,
                                         start_new_session=True).strip())
        yield name
    finally:
        if name and backing_file(name) == os.path.realpath(image):
            retry("losetup", "--detach", "/dev/" + name)


def backing_file(name):
    try:
        return read("/sys/block/%s/loop/backing_file" % name).strip()
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def mounted(device, point):
    with new_directory(point):
        try:
            with making():
                call("mount", "/dev/" + device, point, start_new_session=True)
            yield point
        finally:
            if os.path.ismount(point):
                retry("umount", point)


def retry(*words):
    """A process that was just killed may hold a mount for a moment."""
    for attempt in range(50):
        try:
            return call(*words)
        except RuntimeError:
            if attempt == 49:
                raise
            time.sleep(0.1)


@contextlib.contextmanager
def delayed(image, latency, bench):
    """Serves the image as a file of a file system in user space that answers late."""
    require_program("nbdkit", "nbdkit")
    require_program("nbdfuse", "nbdfuse")
    require_program("fusermount3", "fuse3")
    point, socket = bench.path("late"), bench.path("socket")
    with new_directory(point), new_file(socket), contextlib.ExitStack() as stack:
        stack.enter_context(running(["nbdkit", "-f", "-U", socket, "--filter=delay", "-t", "64",
                                     "file", image, "rdelay=" + latency, "wdelay=" + latency]))
        wait_for(lambda: os.path.exists(socket), "nbdkit")
        late = os.path.join(point, "image")
        stack.enter_context(running(["nbdfuse", "-C", "16", late, "--unix", socket],
                                    end=lambda: os.path.ismount(point) and
                                    retry("fusermount3", "-u", point)))
        wait_for(lambda: os.path.exists(late), "nbdfuse")
        yield late


@contextlib.contextmanager
def running(words, end=lambda: None):
    """A server that lives as long as the context; `end` asks it to go."""
    server = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        yield server
    finally:
        try:
            end()
        finally:
            server.terminate()
            server.wait(20)


def wait_for(condition, what):
    for _ in range(100):
        if condition():
            return
        time.sleep(0.1)
    raise RuntimeError("%s did not start" % what)
