package aot

// This file writes the options of a compilation: how many devices run the program,
// and which.

import (
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gospmd/gospmd/program"
)

// The numbers of fields in xla/pjrt/proto/compile_options.proto and xla_data.proto.
const (
	buildOptions       = 3 // of CompileOptionsProto
	overrides          = 7
	overrideName       = 1 // of its map's entries
	overrideValue      = 2
	overrideText       = 1 // of OptionOverrideProto
	overrideTruth      = 2
	overrideInteger    = 3
	overrideNumber     = 4
	deviceOrdinal      = 1 // of ExecutableBuildOptionsProto
	numReplicas        = 4
	numPartitions      = 5
	usePartitioner     = 6
	deviceAssignment   = 9
	useShardy          = 19
	replicaCount       = 1 // of DeviceAssignmentProto
	computationCount   = 2
	computationDevices = 3
	replicaDeviceIDs   = 1 // of its ComputationDevice
)

// compileOptions returns the CompileOptionsProto of a program: as many replicas as it
// has devices, or, where XLA's partitioner is to partition it, partitions.
func compileOptions(p *program.Program, flags []flag) []byte {
	devices := p.Mesh.Devices()
	n := uint64(len(devices))
	replicas, partitions := n, uint64(1)
	annotated := p.Form == program.Annotated && len(p.Module.Meshes) > 0
	if annotated {
		replicas, partitions = partitions, replicas
	}
	assignment := appendVarint(nil, replicaCount, replicas)
	assignment = appendVarint(assignment, computationCount, partitions)
	var ids []byte
	for _, d := range devices {
		ids = protowire.AppendVarint(ids, uint64(d))
		if annotated {
			assignment = appendBytes(assignment, computationDevices, appendBytes(nil, replicaDeviceIDs, ids))
			ids = nil
		}
	}
	if !annotated {
		assignment = appendBytes(assignment, computationDevices, appendBytes(nil, replicaDeviceIDs, ids))
	}
	const anyDevice = -1
	build := appendVarint(nil, deviceOrdinal, anyDevice&(1<<64-1))
	build = appendVarint(build, numReplicas, replicas)
	build = appendVarint(build, numPartitions, partitions)
	if annotated {
		build = appendVarint(build, usePartitioner, 1)
		build = appendVarint(build, useShardy, 1)
	}
	build = appendBytes(build, deviceAssignment, assignment)
	options := appendBytes(nil, buildOptions, build)
	for _, f := range flags {
		entry := appendBytes(nil, overrideName, []byte(f.name))
		entry = appendBytes(entry, overrideValue, f.override())
		options = appendBytes(options, overrides, entry)
	}
	return options
}

// override returns the OptionOverrideProto of a flag. XLA wants a value of the flag's
// own type, which its text shows.
func (f flag) override() []byte {
	if f.value == "true" || f.value == "false" {
		return appendVarint(nil, overrideTruth, protowire.EncodeBool(f.value == "true"))
	}
	if n, err := strconv.ParseInt(f.value, 10, 64); err == nil {
		return appendVarint(nil, overrideInteger, uint64(n))
	}
	if x, err := strconv.ParseFloat(f.value, 64); err == nil {
		return protowire.AppendFixed64(protowire.AppendTag(nil, overrideNumber, protowire.Fixed64Type), math.Float64bits(x))
	}
	return appendBytes(nil, overrideText, []byte(f.value))
}

func appendVarint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
