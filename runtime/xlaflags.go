package runtime

// This file sets the environment that XLA's plugins read when they are loaded.

import (
	"log"
	"os"
	"strings"
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

// setXLAFlags adds to XLA_FLAGS what switches off the options above, and patience
// for one process of several. The plugin reads the variable when it makes its first
// client. A user who sets a flag himself has his way, with a warning.
func setXLAFlags(several bool) {
	flags, warnings := xlaFlags(os.Getenv(xlaFlagsVar), several)
	os.Setenv(xlaFlagsVar, flags)
	for _, w := range warnings {
		log.Print("gospmd: " + w)
	}
}

// xlaFlags returns the flags to set, given those of the user.
func xlaFlags(users string, several bool) (flags string, warnings []string) {
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
