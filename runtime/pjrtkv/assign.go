package pjrtkv

// This file implements Assign, for compiling programs for devices of several processes.

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// The field numbers in xla/pjrt/proto/compile_options.proto and xla_data.proto.
const (
	buildOptions       = 3 // of CompileOptionsProto
	numReplicas        = 4 // of ExecutableBuildOptionsProto
	deviceAssignment   = 9
	replicaCount       = 1 // of DeviceAssignmentProto
	computationCount   = 2
	computationDevices = 3
	replicaDeviceIDs   = 1 // of its ComputationDevice
)

// Assign returns the options of a compilation (CompileOptionsProto) for the devices with these
// global numbers, one replica on each. It replaces the devices that were set in go-xla. Set there
// the devices of this process that are among them, in their order: go-xla then passes the arguments
// of that many devices, as XLA expects.
func Assign(options []byte, devices []int) []byte {
	var ids, computation, assignment []byte
	for _, d := range devices {
		ids = protowire.AppendVarint(ids, uint64(d))
	}
	computation = appendBytes(computation, replicaDeviceIDs, ids)
	assignment = appendVarint(assignment, replicaCount, uint64(len(devices)))
	assignment = appendVarint(assignment, computationCount, 1)
	assignment = appendBytes(assignment, computationDevices, computation)

	out, build := split(options, buildOptions)
	build, _ = split(build, numReplicas, deviceAssignment)
	build = appendVarint(build, numReplicas, uint64(len(devices)))
	build = appendBytes(build, deviceAssignment, assignment)
	return appendBytes(out, buildOptions, build)
}

func appendVarint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}

// split removes the fields with these numbers from a message of protobuf. It returns the rest, and
// the content of the last removed field that is a message or bytes; nil if there is none.
func split(message []byte, fields ...protowire.Number) (rest, content []byte) {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeField(message)
		if n < 0 {
			panic("BUG: pjrtkv: go-xla made options that cannot be parsed")
		}
		if !slices.Contains(fields, number) {
			rest = append(rest, message[:n]...)
		} else if kind == protowire.BytesType {
			_, _, tag := protowire.ConsumeTag(message)
			content, _ = protowire.ConsumeBytes(message[tag:])
		}
		message = message[n:]
	}
	return rest, content
}
