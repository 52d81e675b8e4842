"""What the workers of benchmarks share: the protocol, clocks, and the files of a model.

A worker is a process that the command `go run ./benchmarks` starts for a peer, a model
and a mesh. It reads requests from stdin, one JSON object on a line, and answers each
with one line on stdout. Nothing else writes to stdout: the output of libraries goes to
stderr. If a request fails, the answer is {"ok": false, "error": ...}.

The model's folder holds model.json (batch, layout rules, loss, optimizer), weights.npz
(first weights by Keras' paths, such as d1/kernel) and data.npz (x and y of a few
batches, which are used in turn).
"""

import itertools
import json
import math
import os
import re
import resource
import sys
import time
import traceback

import numpy as np

os.environ.setdefault("JAX_PLATFORMS", "cpu")


def virtual_devices(mesh):
    """Divides the CPU into as many devices as a mesh has, before JAX looks for devices."""
    import jax

    jax.config.update("jax_num_cpu_devices", math.prod(mesh))
    # XLA makes as many threads as devices, or as processors if there are more. NPROC says
    # how many processors there are. With a thread for each device, steps that wait for each
    # other's collectives hang when the next ones are dispatched.
    os.environ.setdefault("NPROC", str(2 * math.prod(mesh)))


def since_start():
    """Seconds since the process was started."""
    with open("/proc/self/stat") as f:
        ticks = float(f.read().rpartition(")")[2].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def cpu_seconds():
    """CPU seconds of all threads of the process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Clock:
    """Measures wall and CPU seconds of consecutive parts."""

    def __init__(self):
        self.seconds, self.last = {}, (time.perf_counter(), cpu_seconds())

    def part(self, name):
        """Ends a part: it took NAME wall seconds and NAME_cpu CPU seconds."""
        now = (time.perf_counter(), cpu_seconds())
        self.seconds[name], self.seconds[name + "_cpu"] = (b - a for a, b in zip(self.last, now))
        self.last = now

    def skip(self):
        """Leaves out the time since the last part."""
        self.last = (time.perf_counter(), cpu_seconds())


class Files:
    """The model, its data and its first weights, from the files of the harness."""

    def __init__(self, folder):
        with open(os.path.join(folder, "model.json")) as f:
            model = json.load(f)
        self.batch, self.loss = model["batch"], model["loss"]
        self.settings = model["optimizer"]  # Keras' names of its arguments
        self.optimizer = self.settings.pop("name")
        self.rules = {rule["path"]: tuple(axis or None for axis in rule["axes"]) for rule in model["rules"]}
        self.unused = set(self.rules)
        self.weights = dict(np.load(os.path.join(folder, "weights.npz")))
        data = np.load(os.path.join(folder, "data.npz"))
        batches = [slice(i, i + self.batch) for i in range(0, len(data["x"]), self.batch)]
        x, y = data["x"], data["y"]
        self.turn = itertools.cycle([(x[b], y[b]) for b in batches])

    def batches(self, count):
        """The next batches, in host memory."""
        return list(itertools.islice(self.turn, count))

    def axes(self, path):
        """The axes that the rules give to the variable or the output of a path; none if no rule does."""
        for rule, axes in self.rules.items():
            if re.fullmatch(rule, path):
                self.unused.discard(rule)
                return axes
        return ()


def serve(make):
    """Answers requests until {"do": "quit"} or the end of stdin. make answers "open": it
    returns a worker, with its answer in the field `opened`; each other request is a method
    of it. The fields of a request are the arguments."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = None
    for line in sys.stdin:
        request = json.loads(line)
        do = request.pop("do")
        if do == "quit":
            return
        try:
            if do == "open":
                worker = make(**request)
                answer = worker.opened | {"since_start": since_start(), "cpu": cpu_seconds()}
            elif hasattr(worker, do):
                answer = getattr(worker, do)(**request)
            else:
                raise NotImplementedError(do)
            answer = {"ok": True} | answer
        except Exception as e:
            traceback.print_exc()
            answer = {"ok": False, "error": f"{type(e).__name__}: {e}"}
        print(json.dumps(answer), file=answers, flush=True)


def timed(run):
    """Calls run and returns its wall and CPU seconds."""
    clock = Clock()
    run()
    clock.part("wall")
    return {"wall": clock.seconds["wall"], "cpu": clock.seconds["wall_cpu"]}


def memory(m):
    """XLA's figures of a compiled step's memory on a device (jaxlib's CompiledMemoryStats)."""
    arguments, outputs, temporary = m.argument_size_in_bytes, m.output_size_in_bytes, m.temp_size_in_bytes
    peak = arguments + outputs - m.alias_size_in_bytes + temporary
    return {"arguments": arguments, "outputs": outputs, "temporary": temporary, "peak": peak}
