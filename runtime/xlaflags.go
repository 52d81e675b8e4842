package runtime

// This file holds the flags of XLA for each compilation, and the variables that a plugin
// reads from the environment when it is loaded.

import (
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/xlaflag"
	"github.com/gospmd/gospmd/runtime/plugin"
)

const (
	xlaFlagsVar = "XLA_FLAGS"
	logLevelVar = "TF_CPP_MIN_LOG_LEVEL"
)

// loading guards the environment variables of C and go-xla's list of plugins.
var loading sync.Mutex

// switchedOff lists features that are on by default in XLA's CPU plugin and must be off, with the
// effect of each.
var switchedOff = []struct{ flag, what, effect string }{
	// The released plugin (xla-cpu-pjrt 0.0.1) computes wrong values with XNNPACK, without an
	// error: if weights are freed and allocated again in each step, as in training.
	// TestXNNPACKStaysOff tests that pattern.
	{"xla_cpu_use_xnnpack", "XNNPACK", "known to compute wrong gradients silently"},
	// With this feature, max(x, NaN) is x, but StableHLO says NaN: a loss that went wrong looks
	// right after a ReLU. The corner values of TestElementwiseAgainstPJRT, in package goengine,
	// test it.
	{"xla_cpu_enable_fast_min_max", "fast minima and maxima", "known to lose NaN"},
}

// patience is a flag that keeps XLA from ending the process. Without it XLA does so 40 seconds
// after a device has begun to wait in a collective of XLA's own. The devices may wait for another
// process, which package runtime watches. XLA reads this flag from the environment only, when it
// makes the first client of the process.
const patience = "--xla_cpu_collective_call_terminate_timeout_seconds"

// cudaDataFlag is the flag that names the directory with ptxas and libdevice.
const cudaDataFlag = "xla_gpu_cuda_data_dir"

// compilerFlags returns the flags for compilations on a platform. users is the value of XLA_FLAGS.
// The plugin reads those flags itself; compilerFlags sets no flag that is in it, and warns of
// harmful ones. cudaData returns the directory of CUDA's data, which a flag for GPUs names; after
// an error there is no such flag.
func compilerFlags(platform, users string, cudaData func() (string, error)) (flags []xlaflag.Flag, warnings []string) {
	switch platform {
	case hardware.CPU:
		for _, off := range switchedOff {
			value, found := flagValue(users, off.flag)
			if !found {
				flags = append(flags, xlaflag.Flag{Name: off.flag, Value: "false"})
			} else if value != "false" && value != "0" {
				warnings = append(warnings, xlaFlagsVar+" switches "+off.what+" on: "+off.effect+", take --"+off.flag+" out of it unless you test just that")
			}
		}
	case hardware.CUDA:
		if _, found := flagValue(users, cudaDataFlag); found {
			return nil, nil
		}
		if dir, err := cudaData(); err == nil { // on an error XLA looks for the directory itself
			flags = append(flags, xlaflag.Flag{Name: cudaDataFlag, Value: dir})
		}
	}
	return flags, warnings
}

// flagValue returns the value of a flag, named without dashes, in users, the text of XLA_FLAGS; the
// last occurrence counts. The value of a flag without "=" is empty. found is false if the flag is
// missing.
func flagValue(users, flag string) (value string, found bool) {
	for _, word := range strings.Fields(users) {
		if name, v, _ := strings.Cut(word, "="); strings.TrimLeft(name, "-") == flag {
			value, found = v, true
		}
	}
	return value, found
}

// pluginEnvironment returns environment variables, NAME=value, to set while a plugin is loaded and
// makes a client: PJRT has no options for them. It does not replace variables that the user has
// set, as getenv tells, except that it adds to XLA_FLAGS. hasTPU says whether the machine has TPUs:
// otherwise libtpu is told to fail at once.
func pluginEnvironment(o Options, hasTPU bool, getenv func(string) string) (variables []string) {
	wanted := []string{logLevelVar + "=1"} // no log lines about ordinary work
	if o.Platform == hardware.TPU && !hasTPU {
		// makes libtpu fail at once, without log lines
		wanted = append(slices.Clone(plugin.WithoutTPU), logLevelVar+"=3")
	}
	for _, v := range wanted {
		name, _, _ := strings.Cut(v, "=")
		if getenv(name) == "" {
			variables = append(variables, v)
		}
	}
	users := getenv(xlaFlagsVar)
	if o.Platform == hardware.CPU && o.NumProcesses > 1 && !strings.Contains(users, patience) {
		variables = append(variables, xlaFlagsVar+"="+strings.TrimSpace(users+" "+patience+"=1000000"))
	}
	return variables
}

// userFlags returns the words of XLA_FLAGS, sorted, with blanks between, without those that only
// say where XLA writes dumps.
func userFlags() string {
	words := strings.Fields(os.Getenv(xlaFlagsVar))
	words = slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "--xla_dump_") })
	slices.Sort(words)
	return strings.Join(words, " ")
}
