package suggest

// This file collects evidence for mistakes in layouts. It comes from the records of propagation, and
// from comparing inputs with each other.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// evidence holds what propagation and comparison hint at: mistakes in the layouts of tensors.
// evidenceOf lists the kinds of hints.
type evidence struct {
	text      map[id]string         // the mistake, in words
	conflicts map[id]int            // number of conflicts at the tensor, or that its annotation causes
	lacks     map[id][]mesh.AxisRef // the axes along which the tensor is replicated without need
	batch     []mesh.AxisRef        // the axes that shard the first dimension of data
	unused    bool                  // some axis shards no input
}

// kind is what a tensor is: an input, an output, or the outputs of a layer.
type kind int

const (
	input kind = iota
	output
	layerOutput
)

// id identifies a tensor.
type id struct {
	kind  kind
	index int
}

func (t *tensor) id() id {
	switch t.role {
	case "":
		return id{output, t.index}
	case ofLayer:
		return id{layerOutput, t.index}
	}
	return id{input, t.index}
}

// evidenceOf returns the evidence for mistakes in f after propagation:
//
//   - a conflict keeps an axis of a neighbour from an input, or from the output of a layer
//   - a slot is not sharded like its weight
//   - a weight of noticeable size is replicated along all axes that do not shard the batch, or along
//     an axis that shards most of the weights
//   - an axis shards nothing: perhaps it should shard the batch
func evidenceOf(r *sharding.Result, f *ir.Func, dm *mesh.DeviceMesh) *evidence {
	out := &evidence{text: map[id]string{}, conflicts: map[id]int{}, lacks: map[id][]mesh.AxisRef{}, batch: batchAxes(f, dm)}
	out.conflictsOf(r, f)
	out.layerOutputsOf(r, f)
	out.slotsOf(f)
	out.replicasOf(f, dm)
	out.addUnused(f, dm)
	return out
}

// conflictsOf records, for each input of f that propagation did not shard by some axis, one
// conflict, with the text of the first loss. Each loss also counts as a conflict at the input whose
// annotation is the source of the axis. Axes of the batch are no conflict: a weight that they shard,
// too, differs from its layer's data wherever it is used.
func (e *evidence) conflictsOf(r *sharding.Result, f *ir.Func) {
	for i, p := range f.Params() {
		x := r.Explanation(p)
		if x == nil {
			continue
		}
		lost := slices.DeleteFunc(slices.Clone(x.Lost), func(l sharding.Loss) bool {
			return !slices.ContainsFunc(l.Axes, func(a mesh.AxisRef) bool { return !has(e.batch, a) })
		})
		if len(lost) == 0 {
			continue
		}
		at := id{index: i}
		e.text[at] = lossText(lost[0])
		e.conflicts[at]++
		for _, l := range lost {
			if s := l.Source; s != nil && s != p && s.IsArg() && s.Block() == f.Body {
				e.conflicts[id{index: s.Index()}]++
			}
		}
	}
}

func lossText(l sharding.Loss) string {
	return fmt.Sprintf("dimension %d is not sharded by %s as %s: %s", l.Dim, layout.AxesText(l.Axes), l.From, l.Why)
}

// layerOutputsOf records a conflict for each output of a layer whose constraint, or whose gradient's,
// keeps out an axis of a neighbour.
func (e *evidence) layerOutputsOf(r *sharding.Result, f *ir.Func) {
	for i, o := range sharding.LayerOutputs(f) {
		for _, op := range o.Constraints {
			for _, v := range []*ir.Value{op.Results[0], op.Operands[0]} {
				if x, at := r.Explanation(v), (id{layerOutput, i}); x != nil && len(x.Lost) > 0 && e.text[at] == "" {
					e.text[at] = lossText(x.Lost[0])
					e.conflicts[at]++
				}
			}
		}
	}
}

// slotsOf adds the slots that are sharded differently from their weight.
func (e *evidence) slotsOf(f *ir.Func) {
	for _, t := range tensorsOf(f) {
		if t.weight >= 0 {
			e.text[t.id()] = fmt.Sprintf("it is sharded otherwise than %s, of which it is a slot", inputName(f, t.weight))
			e.conflicts[t.id()]++
		}
	}
}

// replicasOf adds to the evidence the weights of f that none of the axes for weights shards, and
// those that an axis does not shard which shards most of the weights. It leaves out weights that
// take, with their slots, less than the share noticeable of the memory of all inputs.
func (e *evidence) replicasOf(f *ir.Func, dm *mesh.DeviceMesh) {
	const noticeable = 0.02 // as a share of the memory of all inputs
	free, usual := e.weightAxes(dm), usualAxes(f, dm)
	of := roles.Of(f)
	slots := roles.SlotsOf(f, of)
	all := inputBytes(f)
	for i, p := range f.Params() {
		if of[i] != ir.RoleParameter || p.Type.Rank() == 0 {
			continue
		}
		var lacks []mesh.AxisRef
		if !usesAny(p.Sharding, free) {
			lacks = slices.Clone(free)
		}
		for _, a := range usual {
			if !usesAny(p.Sharding, []mesh.AxisRef{a}) && !slices.Contains(lacks, a) {
				lacks = append(lacks, a)
			}
		}
		bytes := localBytes(p.Type, p.Sharding)
		for _, j := range slots[i] {
			if areSame(f.Params()[j].Sharding, p.Sharding) {
				bytes += localBytes(p.Type, p.Sharding)
			}
		}
		if len(lacks) == 0 || float64(bytes) < noticeable*float64(all) {
			continue
		}
		at := id{index: i}
		e.lacks[at] = lacks
		if e.text[at] == "" {
			e.text[at] = fmt.Sprintf("each device along %s holds the same %s bytes", layout.AxesText(lacks), texttable.GroupDigits(bytes))
		}
	}
}

// axesWhere returns the axes of dm that have several devices and that keep accepts.
func axesWhere(dm *mesh.DeviceMesh, keep func(mesh.AxisRef) bool) (out []mesh.AxisRef) {
	for _, a := range dm.Axes() {
		if axis := mesh.FullAxis(a.Name); a.Size > 1 && keep(axis) {
			out = append(out, axis)
		}
	}
	return out
}

// weightAxes returns the axes that may shard weights: those that do not shard the batch.
func (e *evidence) weightAxes(dm *mesh.DeviceMesh) []mesh.AxisRef {
	return axesWhere(dm, func(axis mesh.AxisRef) bool { return !slices.Contains(e.batch, axis) })
}

// batchAxes returns the axes that shard the first dimension of data.
func batchAxes(f *ir.Func, dm *mesh.DeviceMesh) []mesh.AxisRef {
	of := roles.Of(f)
	return axesWhere(dm, func(axis mesh.AxisRef) bool {
		for i, p := range f.Params() {
			if of[i] == ir.RoleData && p.Type.Rank() > 0 && slices.ContainsFunc(p.Sharding.Dims[0].Axes, axis.Overlaps) {
				return true
			}
		}
		return false
	})
}

// usualAxes returns the axes that shard more than half of the weights: of their bytes, or of the
// matrices and larger weights.
func usualAxes(f *ir.Func, dm *mesh.DeviceMesh) []mesh.AxisRef {
	of := roles.Of(f)
	return axesWhere(dm, func(axis mesh.AxisRef) bool {
		count, bytes := 0, 0 // of the sharded weights less the others
		for i, p := range f.Params() {
			if of[i] != ir.RoleParameter || p.Type.Rank() < 2 {
				continue
			}
			if usesAny(p.Sharding, []mesh.AxisRef{axis}) {
				count, bytes = count+1, bytes+p.Type.Bytes()
			} else {
				count, bytes = count-1, bytes-p.Type.Bytes()
			}
		}
		return max(count, bytes) > 0
	})
}

// usesAny reports whether s shards a dimension by one of the axes.
func usesAny(s *layout.Sharding, axes []mesh.AxisRef) bool {
	return slices.ContainsFunc(axes, func(a mesh.AxisRef) bool {
		return slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return has(d.Axes, a) })
	})
}

// addUnused finds mesh axes that shard no input of f. If there is one, it records that as evidence
// against the layouts of all data and outputs.
func (e *evidence) addUnused(f *ir.Func, dm *mesh.DeviceMesh) {
	for _, a := range dm.Axes() {
		axis := []mesh.AxisRef{mesh.FullAxis(a.Name)}
		if a.Size == 1 || slices.ContainsFunc(f.Params(), func(p *ir.Value) bool { return !p.Type.IsToken() && usesAny(p.Sharding, axis) }) {
			continue
		}
		e.unused = true
		for _, t := range tensorsOf(f) {
			if t.role == ir.RoleData || t.role == "" {
				e.text[t.id()] = fmt.Sprintf("no input is sharded by %s", layout.AxesText(axis))
			}
		}
	}
}
