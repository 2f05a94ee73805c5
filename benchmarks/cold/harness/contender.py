"""What runs: its command line, when it joins the memory cgroup, and where its report is."""

import json
import os
import shlex
import shutil
import sys

from harness import image, machine


class Contender:
    """A program to measure.

    `joins` says when it joins the memory cgroup: "itself", "log", or seconds after its start.
    """

    def __init__(self, label, words, environment, joins, report=None):
        self.label, self.words, self.environment = label, words, environment
        self.joins, self.report_file = joins, report

    def command(self, store):
        return [word.replace("{store}", store) for word in self.words]

    def report(self, output):
        """The JSON report: a file, or the last line of the output."""
        try:
            if self.report_file:
                with open(self.report_file, encoding="utf-8") as file:
                    return json.load(file)
            return json.loads(output.splitlines()[-1])
        except (OSError, ValueError, IndexError):
            return {}


def parse(words, a, bench):
    name, *rest = shlex.split(words)
    if name in ("stock-c", "limit-c"):
        program = image.compile_program(bench, name[:-2])
        return Contender(words, [program, *rest, "{store}"], {}, "itself")
    if name == "tidemark":
        return _tidemark(rest, a, bench)
    if shutil.which(name) is None:
        sys.exit("no contender %s" % name)
    return Contender(words, [name, *rest], {}, a.join)


def _tidemark(rest, a, bench):
    launcher = os.path.realpath(a.tidemark)
    machine.call(launcher, "--version")  # builds the jar when that is missing
    report = bench.path("report.json")
    bench.callback(lambda: os.path.exists(report) and os.unlink(report))
    # The store is none of this host's configured ones, whatever runs here.
    words = [launcher, "gc", *rest, "--report", report, "{store}"]
    label = " ".join(["tidemark", *rest])
    return Contender(label, words, {"TIDEMARK_JAVA_OPTS": a.java_options}, a.join, report)
