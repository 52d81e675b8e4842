package xlaflag

// This file parses flags, and encodes them as options.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// Flag is a flag of XLA: a field of its DebugOptions.
type Flag struct{ Name, Value string }

// Parse reads flags that are separated by blanks, with or without dashes in front. A flag without a
// value has the value true. A name is an error if it does not begin like the names of XLA's flags.
func Parse(text string) (flags []Flag, err error) {
	for _, word := range strings.Fields(text) {
		name, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !given {
			value = "true"
		}
		if !strings.HasPrefix(name, "xla_") && !strings.HasPrefix(name, "megascale_") {
			return nil, fmt.Errorf("the flag %q is none of XLA: want a list such as \"xla_dump_to=/tmp/dump xla_gpu_enable_latency_hiding_scheduler=true\"", word)
		}
		flags = append(flags, Flag{name, value})
	}
	return flags, nil
}

// The field numbers in xla/pjrt/proto/compile_options.proto.
const (
	buildOptions    = 3  // of CompileOptionsProto
	overrides       = 7  // of CompileOptionsProto
	deviceMemory    = 15 // of ExecutableBuildOptionsProto
	overrideName    = 1  // of its map's entries
	overrideValue   = 2
	overrideText    = 1 // of OptionOverrideProto
	overrideTruth   = 2
	overrideInteger = 3
	overrideNumber  = 4
)

// Append returns options, a CompileOptionsProto, with the flags appended as overrides.
func Append(options []byte, flags []Flag) []byte {
	for _, f := range flags {
		entry := appendBytes(nil, overrideName, []byte(f.Name))
		entry = appendBytes(entry, overrideValue, f.override())
		options = appendBytes(options, overrides, entry)
	}
	return options
}

// AppendMemory returns options, a CompileOptionsProto, with the bytes of a GPU's memory that the
// compiler may plan to use. XLA's scheduler for GPUs reads them (GetSchedulerMemoryLimit in
// xla/service/gpu/gpu_hlo_schedule.cc).
func AppendMemory(options []byte, bytes int) []byte {
	return appendBytes(options, buildOptions, appendVarint(deviceMemory, uint64(bytes)))
}

// override returns the OptionOverrideProto of a flag. XLA needs a value of the flag's type, which
// follows from its text.
func (f Flag) override() []byte {
	if f.Value == "true" || f.Value == "false" {
		return appendVarint(overrideTruth, protowire.EncodeBool(f.Value == "true"))
	}
	if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil {
		return appendVarint(overrideInteger, uint64(n))
	}
	if x, err := strconv.ParseFloat(f.Value, 64); err == nil {
		return protowire.AppendFixed64(protowire.AppendTag(nil, overrideNumber, protowire.Fixed64Type), math.Float64bits(x))
	}
	return appendBytes(nil, overrideText, []byte(f.Value))
}

func appendVarint(field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
