package aot

// This file reads an HloModuleProto: its collectives, and the types of its parameters and results.

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// The field numbers in xla/service/hlo.proto and xla/xla_data.proto.
const (
	configuredModule   = 1 // of HloModuleProtoWithConfig
	moduleEntry        = 6 // of HloModuleProto
	moduleComputations = 3
	moduleSignature    = 4

	signatureParameters = 1 // of ProgramShapeProto
	signatureResult     = 2

	computationInstructions = 2 // of HloComputationProto
	computationID           = 5

	instructionOpcode        = 2 // of HloInstructionProto
	instructionShape         = 3
	instructionMetadata      = 7
	instructionChannel       = 26
	instructionCalled        = 38
	instructionGroups        = 49
	instructionPairs         = 52
	instructionAttributes    = 68
	instructionGroupList     = 87
	instructionIotaGroupList = 92
	instructionMeshGroupList = 93

	metadataOpName   = 2 // of OpMetadata
	attributesMap    = 1 // of FrontendAttributes
	mapKey, mapValue = 1, 2
	groupDevices     = 1 // of ReplicaGroup
	listGroups       = 1 // of CollectiveDeviceListProto
	iotaGroups       = 1 // of IotaReplicaGroupListProto
	iotaGroupSize    = 2
	groupMesh        = 1 // of MeshAxesReplicaGroupListProto
	groupAxes        = 2
	meshAxes         = 1 // of MeshProto
	axisSize         = 2 // of MeshAxis
	refAxis          = 1 // of AxisRefProto
	refSubAxis       = 2
	subAxisSize      = 2 // of SubAxisInfo

	shapeElement    = 2 // of ShapeProto
	shapeDimensions = 3
	shapeTuple      = 4
	shapeLayout     = 5

	layoutMemorySpace = 8 // of LayoutProto
)

// hostSpace is the number of the host's memory (Layout::kHostMemorySpace in xla/layout.h).
const hostSpace = 5

// hloModule holds the parts of a module that are read.
type hloModule struct {
	parameters   []hloShape // those of the entry computation, with their layouts
	result       hloShape
	entry        int
	computations map[int][]hloInstruction
}

type hloInstruction struct {
	opcode  string
	shape   hloShape
	opName  string
	channel int
	// on TPUs, a name that is equal for all parts of one asynchronous collective
	chain             string
	called            []int
	groups, groupSize int
}

// hloShape is an array, or a tuple.
type hloShape struct {
	element int // one of XLA's PrimitiveType
	dims    []int
	tuple   []hloShape
	space   int // the number of the memory that it is in; 0: the device's
}

// field is a field of a message. A scalar field has a value, and others have bytes.
type field struct {
	number protowire.Number
	value  int
	bytes  []byte
}

// fields calls visit with each field of a protobuf message, in order: integers in value, bytes and
// messages in bytes. It returns the first error of visit, or that of a damaged message.
func fields(message []byte, visit func(field) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("the optimized module cannot be parsed: %w", protowire.ParseError(n))
		}
		message = message[n:]
		f := field{number: number}
		switch kind {
		case protowire.VarintType:
			var v uint64
			v, n = protowire.ConsumeVarint(message)
			f.value = int(v)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("the optimized module cannot be parsed: field %d: %w", number, protowire.ParseError(n))
		}
		message = message[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// integers returns to with the values of f appended, a repeated field that may be packed. If it is
// damaged, the rest of it is left out.
func (f field) integers(to []int) []int {
	if f.bytes == nil {
		return append(to, f.value)
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return to
		}
		to, b = append(to, int(v)), b[n:]
	}
	return to
}

// withoutConfig returns the bytes of the module inside an HloModuleProtoWithConfig.
func withoutConfig(configured []byte) (module []byte, err error) {
	err = fields(configured, func(f field) error {
		if f.number == configuredModule {
			module = f.bytes
		}
		return nil
	})
	return module, err
}

// parseHLO reads an HloModuleProto: the instructions of its computations by their ids, the id of
// the entry, and the shapes of its parameters and its result. A damaged one is an error.
func parseHLO(module []byte) (*hloModule, error) {
	m := &hloModule{computations: map[int][]hloInstruction{}}
	err := fields(module, func(f field) error {
		switch f.number {
		case moduleEntry:
			m.entry = f.value
		case moduleComputations:
			return m.computation(f.bytes)
		case moduleSignature:
			return fields(f.bytes, m.signature)
		}
		return nil
	})
	return m, err
}

// signature stores a field of the entry computation's signature.
func (m *hloModule) signature(f field) error {
	switch f.number {
	case signatureParameters:
		var s hloShape
		err := fields(f.bytes, s.field)
		m.parameters = append(m.parameters, s)
		return err
	case signatureResult:
		return fields(f.bytes, m.result.field)
	}
	return nil
}

func (m *hloModule) computation(message []byte) error {
	var id int
	var list []hloInstruction
	err := fields(message, func(f field) error {
		switch f.number {
		case computationID:
			id = f.value
		case computationInstructions:
			var i hloInstruction
			if err := fields(f.bytes, i.field); err != nil {
				return err
			}
			list = append(list, i)
		}
		return nil
	})
	m.computations[id] = list
	return err
}

// field stores a field of an instruction's message in i, if it is one that is needed. A damaged one
// is an error.
func (i *hloInstruction) field(f field) error {
	switch f.number {
	case instructionOpcode:
		i.opcode = string(f.bytes)
	case instructionShape:
		return fields(f.bytes, i.shape.field)
	case instructionMetadata:
		return fields(f.bytes, func(f field) error {
			if f.number == metadataOpName {
				i.opName = string(f.bytes)
			}
			return nil
		})
	case instructionChannel:
		i.channel = f.value
	case instructionCalled:
		i.called = f.integers(i.called)
	case instructionGroups:
		return i.group(f.bytes)
	case instructionPairs:
		i.groups, i.groupSize = i.groups+1, 2
	case instructionAttributes:
		return fields(f.bytes, i.attribute)
	case instructionGroupList:
		return fields(f.bytes, func(f field) error {
			if f.number == listGroups {
				return i.group(f.bytes)
			}
			return nil
		})
	case instructionIotaGroupList:
		return fields(f.bytes, func(f field) error {
			switch f.number {
			case iotaGroups:
				i.groups = f.value
			case iotaGroupSize:
				i.groupSize = f.value
			}
			return nil
		})
	case instructionMeshGroupList:
		return i.meshGroups(f.bytes)
	}
	return nil
}

// meshGroups reads replica groups that are given by axes of a mesh, and sets i.groups and
// i.groupSize: the number of the groups and of the devices in each.
func (i *hloInstruction) meshGroups(message []byte) error {
	var sizes []int
	devices := 1
	i.groupSize = 1
	err := fields(message, func(f field) error {
		switch f.number {
		case groupMesh:
			return fields(f.bytes, func(f field) error {
				if f.number != meshAxes {
					return nil
				}
				size, err := number(f.bytes, axisSize)
				sizes, devices = append(sizes, size), devices*size
				return err
			})
		case groupAxes:
			axis, err := number(f.bytes, refAxis)
			if err != nil || axis >= len(sizes) {
				return err
			}
			size := sizes[axis]
			err = fields(f.bytes, func(f field) (err error) {
				if f.number == refSubAxis {
					size, err = number(f.bytes, subAxisSize)
				}
				return err
			})
			i.groupSize *= max(size, 1)
			return err
		}
		return nil
	})
	i.groups = devices / i.groupSize
	return err
}

// number returns a numeric field of a message; 0 if it is missing.
func number(message []byte, of protowire.Number) (n int, err error) {
	err = fields(message, func(f field) error {
		if f.number == of {
			n = f.value
		}
		return nil
	})
	return n, err
}

// group adds 1 to i.groups for a ReplicaGroup. i.groupSize becomes the number of its devices if
// that is larger.
func (i *hloInstruction) group(message []byte) error {
	i.groups++
	var devices []int
	err := fields(message, func(f field) error {
		if f.number == groupDevices {
			devices = f.integers(devices)
		}
		return nil
	})
	i.groupSize = max(i.groupSize, len(devices))
	return err
}

// attribute reads an entry of the frontend attributes: it stores chain_id in i.chain, and ignores
// others.
func (i *hloInstruction) attribute(f field) error {
	var key, value string
	err := fields(f.bytes, func(f field) error {
		switch f.number {
		case mapKey:
			key = string(f.bytes)
		case mapValue:
			value = string(f.bytes)
		}
		return nil
	})
	if key == "chain_id" {
		i.chain = value
	}
	return err
}

func (s *hloShape) field(f field) error {
	switch f.number {
	case shapeElement:
		s.element = f.value
	case shapeDimensions:
		s.dims = f.integers(s.dims)
	case shapeTuple:
		var part hloShape
		if err := fields(f.bytes, part.field); err != nil {
			return err
		}
		s.tuple = append(s.tuple, part)
	case shapeLayout:
		var err error
		s.space, err = number(f.bytes, layoutMemorySpace)
		return err
	}
	return nil
}
