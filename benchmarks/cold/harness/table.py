"""Renders the figures of a measurement as markdown.

Run by itself it renders a file that was written before: python3 table.py FILE.json
"""

import json
import statistics
import sys


def render(result):
    a, m = result["settings"], result["machine"]
    text = ["Linux %s, %s, %d CPUs (load %.1f at the start), %s. %d rounds, %.0f MB of cache,"
            " %s requests a second%s.\n"
            % (m["kernel"], m["cpu"], m["cpus"], m["load"], m["date"], a["rounds"],
               a["memory"] / 1e6, a["iops"] or "any number of",
               ", each after " + a["latency"] if a["latency"] else "")]
    for fs, counts in result["stores"].items():
        runs = [r for r in result["runs"] if r["fs"] == fs and "seconds" in r]
        text.append("\n### %s: %d chunks in use, %d of old and %d of young garbage, %d directories,"
                    " created in %s order, %d references\n"
                    % (fs, counts["disk-chunks"], counts["removed-chunks"],
                       counts["pending-chunks"], a["dirs"], a["creation"], counts["references"]))
        text += times(runs)
        text += requests(runs, counts["survivors"])
        text += calls([r for r in result["runs"] if r["fs"] == fs and "calls" in r])
    text.append("\nSeconds are medians, with the least and the most; the sync that follows a run is"
                " not in them, but what it writes is. A chunk is one that is left.\n")
    return "\n".join(text)


def groups(runs):
    by_label = {}
    for run in runs:
        by_label.setdefault(run["contender"], []).append(run)
    return by_label.items()


def median(runs, value):
    return statistics.median(value(run) for run in runs)


def times(runs):
    def total(run):
        return run["seconds"] + run["sync-seconds"]

    base = [r for r in runs if "strategy immediate" in r["contender"] and r["right"]]
    yield "| contender | seconds | with sync | phases | CPU s | `immediate` takes | right |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for label, some in groups(runs):
        seconds = [r["seconds"] for r in some]
        names = list(some[0]["phases"])
        phases = ", ".join("%s %.1f" % (name, median(some, lambda r: r["phases"].get(name, 0)))
                           for name in names if median(some, lambda r: r["phases"].get(name, 0))
                           >= 0.05)
        right = all(r["right"] for r in some)
        ratio = "%.2f times as long" % (median(base, total) / median(some, total)) \
            if base and right else ""
        yield "| %s | %.1f (%.1f-%.1f) | %.1f | %s | %.1f | %s | %s |" % (
            label, statistics.median(seconds), min(seconds), max(seconds), median(some, total),
            phases, median(some, lambda r: r["user-seconds"] + r["system-seconds"]), ratio,
            "yes" if right else "NO")
    yield ""


def requests(runs, chunks):
    yield ("| contender | reads | MB | reads/chunk | writes | MB | writes/chunk | after unmount |"
           " process MB | cgroup MB |")
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for label, some in groups(runs):
        def middle(name):
            return median(some, lambda r: r[name])
        yield "| %s | %d | %.0f | %.3f | %d | %.0f | %.4f | %.4f | %.0f | %.0f |" % (
            label, middle("reads"), middle("read-bytes") / 1e6, middle("reads") / chunks,
            middle("writes"), middle("written-bytes") / 1e6, middle("writes") / chunks,
            middle("writes-after-unmount") / chunks, middle("peak-bytes") / 1e6,
            middle("cgroup-peak-bytes") / 1e6)
    yield ""


def calls(runs):
    if not runs:
        return
    yield "| contender | system calls | a chunk | most of them |"
    yield "| --- | --- | --- | --- |"
    for run in runs:
        most = [(name, count) for name, count in run["calls"].items()
                if name not in ("total", "per-chunk")][:6]
        yield "| %s | %d | %.2f | %s |" % (
            run["contender"], run["calls"]["total"], run["calls"]["per-chunk"],
            ", ".join("%s %d" % pair for pair in most))
    yield ""


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as source:
        print(render(json.load(source)), end="")
