#!/usr/bin/env python3
"""Prints what TensorBoard reads in a folder of event files: by run and tag, the steps and values
of the scalars and of the histograms that its plugins would show; by run the nodes of the graph.

    python tensorboard_read.py DIR
    python tensorboard_read.py --histogram NUMBERS   # the buckets that TensorBoard makes of a JSON list
"""

import json
import sys

import numpy as np
from tensorboard.backend.event_processing import event_multiplexer
from tensorboard.plugins.histogram import summary_v2
from tensorboard.util import tensor_util


def main():
    if sys.argv[1] == "--histogram":
        proto = summary_v2.histogram_pb("tag", np.array(json.loads(sys.argv[2])))
        json.dump(tensor_util.make_ndarray(proto.value[0].tensor).tolist(), sys.stdout)
        return
    multiplexer = event_multiplexer.EventMultiplexer().AddRunsFromDirectory(sys.argv[1]).Reload()
    out = {plugin: {} for plugin in ["scalars", "histograms"]}
    for plugin, runs in out.items():
        for run, tags in multiplexer.PluginRunToTagToContent(plugin).items():
            runs[run] = {}
            for tag in tags:
                events = multiplexer.Tensors(run, tag)
                runs[run][tag] = [[e.step, tensor_util.make_ndarray(e.tensor_proto).tolist()] for e in events]
    out["graphs"] = {
        run: [[n.name, n.op, *n.input] for n in multiplexer.Graph(run).node] for run, tags in multiplexer.Runs().items() if tags["graph"]
    }
    json.dump(out, sys.stdout, sort_keys=True)


if __name__ == "__main__":
    main()
