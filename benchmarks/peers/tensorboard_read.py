#!/usr/bin/env python3
"""Prints what TensorBoard reads in a folder of event files: by run and tag, the
steps and values of the scalars that its scalars plugin would show.

    python tensorboard_read.py DIR
"""

import json
import sys

from tensorboard.backend.event_processing import event_multiplexer
from tensorboard.util import tensor_util


def main():
    multiplexer = event_multiplexer.EventMultiplexer().AddRunsFromDirectory(sys.argv[1]).Reload()
    out = {}
    for run, tags in multiplexer.PluginRunToTagToContent("scalars").items():
        out[run] = {}
        for tag in tags:
            events = multiplexer.Tensors(run, tag)
            out[run][tag] = [[e.step, float(tensor_util.make_ndarray(e.tensor_proto))] for e in events]
    json.dump(out, sys.stdout, sort_keys=True)


if __name__ == "__main__":
    main()
