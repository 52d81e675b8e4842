package aot

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// Replica groups that are given by axes of a mesh, as XLA's own partitioner writes them, are read:
// along either axis of a mesh 2x4, along both, along half of the second one.
func TestMeshGroups(t *testing.T) {
	message := func(n protowire.Number, b []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), b)
	}
	value := func(n protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
	}
	join := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	axis := func(name string, size uint64) []byte {
		return message(meshAxes, join(message(1, []byte(name)), value(axisSize, size)))
	}
	mesh := message(groupMesh, join(axis("axis_0", 2), axis("axis_1", 4)))
	first, second := message(groupAxes, nil), message(groupAxes, value(refAxis, 1))
	half := message(groupAxes, join(value(refAxis, 1), message(refSubAxis, join(value(1, 2), value(subAxisSize, 2)))))
	for _, c := range []struct {
		axes         []byte
		groups, size int
	}{{first, 4, 2}, {second, 2, 4}, {join(first, second), 1, 8}, {half, 4, 2}} {
		var i hloInstruction
		require.NoError(t, i.field(field{number: instructionMeshGroupList, bytes: join(mesh, c.axes)}))
		require.Equal(t, []int{c.groups, c.size}, []int{i.groups, i.groupSize})
	}
}
