package runtime

// This file sets the environment that XLA's plugins read when they are loaded.

import (
	"log"
	"os"
	"slices"
	"strings"
	"sync"
)

const (
	xlaFlagsVar = "XLA_FLAGS"
	logLevelVar = "TF_CPP_MIN_LOG_LEVEL"
)

// switchedOff lists what XLA's CPU plugin has on by default and must not have,
// with the effect.
var switchedOff = []struct{ option, what, effect string }{
	// The released plugin (xla-cpu-pjrt 0.0.1) computes wrong values with
	// XNNPACK, silently: where weights are freed and made again each step, as
	// training does. TestXNNPACKStaysOff holds the pattern.
	{"--xla_cpu_use_xnnpack", "XNNPACK", "known to compute wrong gradients silently"},
	// max(x, NaN) is then x, where StableHLO says NaN: a loss that went wrong
	// looks right after a ReLU. The corner values of TestElementwiseAgainstPJRT, in
	// package goengine, hold it.
	{"--xla_cpu_enable_fast_min_max", "fast minima and maxima", "known to lose NaN"},
}

// quietXLA keeps the plugin's remarks on its ordinary work off the terminal,
// unless the user has chosen a level; warnings and errors are shown.
func quietXLA() {
	if os.Getenv(logLevelVar) == "" {
		os.Setenv(logLevelVar, "1")
	}
}

// patience keeps XLA from ending the process 40 seconds after a device has begun to
// wait for the others in a collective: they may wait for another process, which
// package runtime watches.
const patience = "--xla_cpu_collective_call_terminate_timeout_seconds"

// loading guards the environment and go-xla's list of plugins.
var loading sync.Mutex

// ours are the words that setXLAFlags has added to XLA_FLAGS; loading guards them.
var ours []string

// setXLAFlags adds to XLA_FLAGS what the platform's plugin needs, which reads the variable
// when it makes its first client: for CPUs, what switches off the options above, and patience
// for one process of several; for GPUs, where ptxas and libdevice are. What was added for the
// plugin of another platform is taken away, because a flag that a plugin does not know ends
// the process. A user who sets a flag himself has his way, with a warning.
func setXLAFlags(platform string, several bool, cudaData func() (string, error)) {
	users := withoutWords(os.Getenv(xlaFlagsVar), ours)
	flags := users
	switch platform {
	case "cpu":
		var warnings []string
		flags, warnings = cpuFlags(users, several)
		for _, w := range warnings {
			log.Print("gospmd: " + w)
		}
	case "cuda":
		flags = cudaFlags(users, cudaData)
	}
	ours = strings.Fields(strings.TrimPrefix(flags, users))
	if flags != os.Getenv(xlaFlagsVar) {
		os.Setenv(xlaFlagsVar, flags)
	}
}

// withoutWords returns the words of a text that are not among others.
func withoutWords(text string, others []string) string {
	words := slices.DeleteFunc(strings.Fields(text), func(w string) bool { return slices.Contains(others, w) })
	return strings.Join(words, " ")
}

// cudaDataFlag names the directory with ptxas and libdevice.
const cudaDataFlag = "--xla_gpu_cuda_data_dir"

// cudaFlags returns the flags to set for GPUs, given those of the user. Where nothing is found,
// XLA looks for itself.
func cudaFlags(users string, cudaData func() (string, error)) string {
	if strings.Contains(users, cudaDataFlag) {
		return users
	}
	dir, err := cudaData()
	if err != nil || strings.ContainsAny(dir, " \t") {
		return users
	}
	return strings.TrimSpace(users + " " + cudaDataFlag + "=" + dir)
}

// cpuFlags returns the flags to set for CPUs, given those of the user.
func cpuFlags(users string, several bool) (flags string, warnings []string) {
	flags = users
	for _, off := range switchedOff {
		on, found := false, false
		for _, f := range strings.Fields(users) {
			name, value, hasValue := strings.Cut(f, "=")
			if name == off.option {
				found = true
				on = !hasValue || value != "false" && value != "0"
			}
		}
		switch {
		case on:
			warnings = append(warnings, xlaFlagsVar+" switches "+off.what+" on: "+off.effect+", take "+off.option+" out of it unless you test just that")
		case !found:
			flags = strings.TrimSpace(flags + " " + off.option + "=false")
		}
	}
	if several && !strings.Contains(flags, patience) {
		flags += " " + patience + "=1000000"
	}
	return flags, warnings
}
