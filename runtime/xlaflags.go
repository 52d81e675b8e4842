package runtime

// This file sets the environment that XLA's plugins read when they are loaded.

import (
	"log"
	"os"
	"strings"
)

const (
	xlaFlagsVar   = "XLA_FLAGS"
	xnnpackOption = "--xla_cpu_use_xnnpack"
	logLevelVar   = "TF_CPP_MIN_LOG_LEVEL"
)

// quietXLA keeps the plugin's remarks on its ordinary work off the terminal,
// unless the user has chosen a level; warnings and errors are shown.
func quietXLA() {
	if os.Getenv(logLevelVar) == "" {
		os.Setenv(logLevelVar, "1")
	}
}

// disableXNNPACK adds to XLA_FLAGS what keeps XLA's CPU plugin from handing
// matrix products to XNNPACK. The plugin reads the variable when it makes its
// first client.
//
// The released plugin (xla-cpu-pjrt 0.0.1) computes wrong values with XNNPACK,
// silently: where weights are freed and made anew each step, as training does.
// TestXNNPACKStaysOff holds the pattern. A user who sets the flag himself has
// his way, with a warning.
func disableXNNPACK() {
	flags, warning := xlaFlags(os.Getenv(xlaFlagsVar))
	os.Setenv(xlaFlagsVar, flags)
	if warning != "" {
		log.Print("gospmd: " + warning)
	}
}

// xlaFlags returns the flags to set, given those of the user.
func xlaFlags(users string) (flags, warning string) {
	on, found := false, false
	for _, f := range strings.Fields(users) {
		name, value, hasValue := strings.Cut(f, "=")
		if name == xnnpackOption {
			found = true
			on = !hasValue || value != "false" && value != "0"
		}
	}
	switch {
	case on:
		return users, xlaFlagsVar + " switches XNNPACK on: known to compute wrong gradients silently, take " + xnnpackOption + " out of it unless you test just that"
	case found:
		return users, ""
	default:
		return strings.TrimSpace(users + " " + xnnpackOption + "=false"), ""
	}
}
