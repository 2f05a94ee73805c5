"""One run of one contender on a cold copy of an image."""

import contextlib
import os
import signal
import subprocess
import threading
import time

from harness import limits, machine

INSIDE_MARK = ("walk", "touch")


def run(bench, master, contender, a):
    """Runs it and returns the figures."""
    with master.copy(bench) as copy, contextlib.ExitStack() as stack:
        if a.latency:
            # A buffered loop device would hand on one request at a time.
            late = stack.enter_context(machine.delayed(copy, a.latency, bench))
            device = stack.enter_context(machine.loop_device(late, "--direct-io=on"))
        else:
            device = stack.enter_context(machine.loop_device(copy))
        with machine.mounted(device, bench.path("m")) as point:
            store = os.path.join(point, "store")
            with limits.throttle(device, a.iops), \
                    limits.Cgroup(a.memory, device, a.iops) as cgroup:
                figures = _measure(contender, store, device, cgroup, point)
        before = machine.device_counts(device)
        # XFS writes inodes from its log to their places only now.
        figures["writes-after-unmount"] = figures["writes"] + before["writes"] - figures.pop("last")
        with machine.mounted(device, bench.path("m")) as point:
            figures.update(_check(os.path.join(point, "store"), master))
        figures["right"] = (figures["status"] in (0, 1) and figures["lost"] == 0
                            and figures["extra"] == 0)
    return figures


def _measure(contender, store, device, cgroup, point):
    if contender.report_file:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(contender.report_file)  # never that of the run before
    first = machine.device_counts(device)
    environment = {**os.environ, **contender.environment}
    if contender.joins == "itself":
        environment["BENCH_JOIN"] = cgroup.procs()
    began = time.monotonic()
    process = subprocess.Popen(contender.command(store), env=environment, text=True,
                               start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        output, errors, usage, status = _follow(process, contender, cgroup)
    except BaseException:
        _kill(process)
        raise
    ended = time.monotonic()
    machine.call("sync", "-f", point)
    synced = time.monotonic()
    last = machine.device_counts(device)
    report = contender.report(output)
    figures = {
        "status": status, "seconds": ended - began, "sync-seconds": synced - ended,
        "user-seconds": usage.ru_utime, "system-seconds": usage.ru_stime,
        "peak-bytes": usage.ru_maxrss * 1024, "cgroup-peak-bytes": cgroup.usage_peak(),
        "cgroup-own-bytes": cgroup.own_peak, "last": last["writes"],
        **{name: last[name] - first[name] for name in first},
        "phases": {phase["name"]: phase["seconds"] for phase in report.get("phases", [])},
        "report": {name: value for name, value in report.items()
                   if isinstance(value, (int, float, str))},
    }
    # What the report does not know: the start of a JVM, and its end. Phases within `mark` count
    # there; the C programs have the same ones beside each other.
    within = INSIDE_MARK if "mark" in figures["phases"] else ()
    figures["phases"]["other"] = figures["seconds"] - sum(
        seconds for name, seconds in figures["phases"].items() if name not in within)
    if status not in (0, 1):
        figures["error"] = "killed for lack of memory" if cgroup.killed() else errors[-1000:]
    return figures


def _follow(process, contender, cgroup):
    """Waits for the end, and moves the process into the cgroup when its time has come."""
    output, errors = [], []

    def read_errors():
        for line in process.stderr:
            if contender.joins == "log" and not errors:
                cgroup.join(process.pid)
            errors.append(line)

    readers = [threading.Thread(target=read_errors),
               threading.Thread(target=lambda: output.append(process.stdout.read()))]
    for reader in readers:
        reader.start()
    if isinstance(contender.joins, float):
        time.sleep(contender.joins)
        cgroup.join(process.pid)
    _, wait_status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(wait_status)
    for reader in readers:
        reader.join()
    return "".join(output), "".join(errors), usage, process.returncode


def _kill(process):
    """Ends the process group that was started for the contender, and waits for it."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)


def _check(store, master):
    """Compares the chunks that are left with those that must be."""
    found = set()
    for _, _, names in os.walk(os.path.join(store, ".chunks")):
        found.update(names)
    # The access-time check of a collection leaves a chunk of its own: 4 MiB of zeros.
    found.discard("bb9f8df61474d25e71fa00722318cd387396ca1736605e1248821cc0de3d3af8")
    expected = master.digests()
    return {"lost": len(expected - found), "extra": len(found - expected)}


def count_calls(bench, master, contender, a):
    """Counts the system calls of a run; it is not timed, as each call is held up."""
    machine.require_program("strace", "strace")
    with master.copy(bench) as copy, machine.loop_device(copy) as device, \
            machine.mounted(device, bench.path("m")) as point, \
            machine.new_file(bench.path("calls")) as file:
        process = subprocess.Popen(
            ["strace", "-f", "-c", "-U", "calls,errors,name", "-S", "calls", "-o", file,
             *contender.command(os.path.join(point, "store"))],
            env={**os.environ, **contender.environment}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait()
        except BaseException:
            _kill(process)
            raise
        calls = {}
        for line in machine.read(file).splitlines():
            fields = line.split()
            if len(fields) >= 2 and fields[0].isdigit() and fields[-1] != "total":
                calls[fields[-1]] = int(fields[0])
    return {"total": sum(calls.values()), "per-chunk": sum(calls.values()) /
            master.counts["survivors"],
            **dict(sorted(calls.items(), key=lambda item: -item[1]))}


def line(contender, figures):
    """Says in one line how a run went."""
    if not figures["right"]:
        return "%s: WRONG: status %d, %d chunks lost, %d too many: %s" % (
            contender.label, figures["status"], figures["lost"], figures["extra"],
            figures.get("error", ""))
    return "%s: %.1f s and %.1f s to sync, %d reads, %d writes" % (
        contender.label, figures["seconds"], figures["sync-seconds"], figures["reads"],
        figures["writes"])
