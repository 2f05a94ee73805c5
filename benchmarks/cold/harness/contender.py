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


def _frozen(launcher, bench):
    """Copies the launcher and its jar, so that a build during the measurement changes nothing."""
    copy = bench.path("tidemark")
    if not os.path.exists(copy):
        machine.call(launcher, "--version")  # builds the jar when that is missing
        home = os.path.dirname(launcher)
        jars = [os.path.join(home, *at, "tidemark.jar")
                for at in (["target"], [], ["..", "share", "tidemark"])]
        jar = next((jar for jar in jars if os.path.exists(jar)), None)
        if jar is None:
            sys.exit("no tidemark.jar where %s looks for it" % launcher)
        for source, name in ((launcher, "tidemark"), (jar, "tidemark.jar")):
            shutil.copy(source, bench.enter_context(machine.new_file(bench.path(name))))
    return copy


def _tidemark(rest, a, bench):
    launcher = _frozen(os.path.realpath(a.tidemark), bench)
    report = bench.path("report.json")
    bench.callback(lambda: os.path.exists(report) and os.unlink(report))
    label = " ".join(["tidemark", *rest])
    prefix = []
    if rest[:2] == ["--by", "name"]:
        # Without this capability open_by_handle_at fails, as it does for users other than root.
        prefix, rest = ["setpriv", "--bounding-set=-dac_read_search"], rest[2:]
    words = [*prefix, launcher, "gc", *rest, "--report", report, "{store}"]
    return Contender(label, words, {"TIDEMARK_JAVA_OPTS": a.java_options}, a.join, report)
