package suggest

// This file collects evidence for mistakes in the layouts of inputs. It comes from the records of
// propagation, and from comparing inputs with each other.

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

// evidence holds what propagation and comparison hint at: mistakes in the layouts of tensors. A
// tensor is an input or an output. evidenceOf lists the kinds of hints.
type evidence struct {
	text       map[id]string  // the mistake, in words
	conflicts  map[id]int     // number of conflicts at the tensor, or that its annotation causes
	replicated map[id]bool    // the tensor is replicated along axes of free
	free       []mesh.AxisRef // the axes that may shard weights
	unused     bool           // some axis shards no input
}

// id identifies an input or output.
type id struct {
	output bool
	index  int
}

func (t *tensor) id() id { return id{t.role == "", t.index} }

// evidenceOf returns the evidence for mistakes in f after propagation:
//
//   - a conflict keeps an axis of a neighbour from an input
//   - a slot is not sharded like its weight
//   - a weight of noticeable size is replicated along all axes that do not shard the batch
//   - an axis shards nothing: perhaps it should shard the batch
func evidenceOf(r *sharding.Result, f *ir.Func, dm *mesh.DeviceMesh) *evidence {
	out := &evidence{text: map[id]string{}, conflicts: map[id]int{}, replicated: map[id]bool{}}
	out.conflictsOf(r, f)
	out.slotsOf(f)
	out.replicasOf(f, dm)
	out.addUnused(f, dm)
	return out
}

// conflictsOf records, for each input of f that propagation did not shard by some axis, one
// conflict, with the text of the first loss. Each loss also counts as a conflict at the input whose
// annotation is the source of the axis.
func (e *evidence) conflictsOf(r *sharding.Result, f *ir.Func) {
	for i, p := range f.Params() {
		x := r.Explanation(p)
		if x == nil || len(x.Lost) == 0 {
			continue
		}
		at := id{index: i}
		l := x.Lost[0]
		e.text[at] = fmt.Sprintf("dimension %d is not sharded by %s as %s: %s", l.Dim, layout.AxesText(l.Axes), l.From, l.Why)
		e.conflicts[at]++
		for _, l := range x.Lost {
			if s := l.Source; s != nil && s != p && s.IsArg() && s.Block() == f.Body {
				e.conflicts[id{index: s.Index()}]++
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

// replicasOf sets e.free, and adds to the evidence the weights of f that no axis in e.free shards.
// It leaves out weights that take, with their slots, less than the share noticeable of the memory
// of all inputs.
func (e *evidence) replicasOf(f *ir.Func, dm *mesh.DeviceMesh) {
	const noticeable = 0.02 // as a share of the memory of all inputs
	if e.free = weightAxes(f, dm); len(e.free) == 0 {
		return
	}
	of := roles.Of(f)
	slots := roles.SlotsOf(f, of)
	all := inputBytes(f)
	for i, p := range f.Params() {
		if of[i] != ir.RoleParameter || p.Type.Rank() == 0 || usesAny(p.Sharding, e.free) {
			continue
		}
		bytes := localBytes(p.Type, p.Sharding)
		for _, j := range slots[i] {
			if areSame(f.Params()[j].Sharding, p.Sharding) {
				bytes += localBytes(p.Type, p.Sharding)
			}
		}
		if float64(bytes) < noticeable*float64(all) {
			continue
		}
		at := id{index: i}
		e.replicated[at] = true
		if e.text[at] == "" {
			e.text[at] = fmt.Sprintf("each device along %s holds the same %s bytes", layout.AxesText(e.free), texttable.GroupDigits(bytes))
		}
	}
}

// weightAxes returns the axes that may shard weights: those of more than one device that do not
// shard the first dimension of any data.
func weightAxes(f *ir.Func, dm *mesh.DeviceMesh) []mesh.AxisRef {
	var out []mesh.AxisRef
	of := roles.Of(f)
	for _, a := range dm.Axes() {
		axis := mesh.FullAxis(a.Name)
		ofBatch := false
		for i, p := range f.Params() {
			ofBatch = ofBatch || of[i] == ir.RoleData && p.Type.Rank() > 0 && slices.ContainsFunc(p.Sharding.Dims[0].Axes, axis.Overlaps)
		}
		if a.Size > 1 && !ofBatch {
			out = append(out, axis)
		}
	}
	return out
}

// usesAny reports whether s shards a dimension by one of the axes.
func usesAny(s *layout.Sharding, axes []mesh.AxisRef) bool {
	return slices.ContainsFunc(axes, func(a mesh.AxisRef) bool {
		return slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return slices.ContainsFunc(d.Axes, a.Overlaps) })
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
