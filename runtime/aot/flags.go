package aot

// This file reads the flags of XLA that a caller adds.

import (
	"fmt"
	"strings"
)

// flag is an option of XLA.
type flag struct{ name, value string }

// parseFlags reads Options.Flags. A flag without a value is true.
func parseFlags(text string) (flags []flag, err error) {
	for _, word := range strings.Fields(text) {
		name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !given {
			value = "true"
		}
		if !strings.HasPrefix(name, "xla_") && !strings.HasPrefix(name, "megascale_") {
			return nil, fmt.Errorf("the flag %q is none of XLA: want a list such as \"xla_dump_to=/tmp/dump xla_gpu_enable_latency_hiding_scheduler=true\"", word)
		}
		flags = append(flags, flag{name, value})
	}
	return flags, nil
}
