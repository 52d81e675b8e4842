package aot

// This file describes TPUs to libtpu.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/hardware"
)

// tpuOptions has the options of the topology for the chips that need some.
var tpuOptions = map[string][]option{
	"v4": {{Name: "chip_config_name", Text: "megacore"}}, // a chip is one device
}

// tpuTopology returns the name of the target, which is libtpu's name too, and the options that
// describe its torus. libtpu joins the ends of an axis only if the option wrap says so.
func tpuTopology(t hardware.Target, _ string) (string, []option, error) {
	options := slices.Clone(tpuOptions[t.Chip.Name])
	levels := t.Levels()
	if rings := levels[len(levels)-1].Rings; slices.Contains(rings, true) {
		wrap := make([]int64, 3)
		for i, joined := range rings {
			if joined {
				wrap[i] = 1
			}
		}
		options = append(options, option{Name: "wrap", List: wrap})
	}
	return t.Chip.Name + ":" + sizesText(t.Shape), options, nil
}

// sizesText formats sizes, such as 2x4.
func sizesText(sizes []int) string {
	var out []string
	for _, n := range sizes {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, "x")
}

// tpuEnvironment returns environment variables, NAME=value, for libtpu; no file changes them, and
// there is no error. They keep it from asking a server for this machine's TPUs, which takes minutes
// if there are none. They let two processes load it, and turn its logs off.
func tpuEnvironment(string) ([]string, error) {
	return []string{"TPU_SKIP_MDS_QUERY=1", "ALLOW_MULTIPLE_LIBTPU_LOAD=1", "TPU_LOG_DIR=disabled", "TF_CPP_MIN_LOG_LEVEL=2"}, nil
}
