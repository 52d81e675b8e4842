package aot

// This file writes the options of a compilation: how many devices run the program,
// and which.

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gospmd/gospmd/internal/xlaflag"
	"github.com/gospmd/gospmd/program"
)

// The field numbers in xla/pjrt/proto/compile_options.proto and xla_data.proto.
const (
	buildOptions       = 3 // of CompileOptionsProto
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

// compileOptions returns the CompileOptionsProto of program p, serialized, with flags. It has one
// replica for each device of p's mesh, or, if XLA's partitioner is used, one partition for each.
func compileOptions(p *program.Program, flags []xlaflag.Flag) []byte {
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
	return xlaflag.Append(options, flags)
}

func appendVarint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
