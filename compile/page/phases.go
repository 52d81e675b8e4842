package page

// This file finds out which layer and which phase of a training step each op belongs to.

import (
	"strings"

	"github.com/gospmd/gospmd/internal/layerpath"
	"github.com/gospmd/gospmd/ir"
)

// phase is a part of a training step: forward, backward or update.
type phase int

const (
	forward phase = iota
	backward
	update
)

// phaseNames are the names that the scripts use for phases.
var phaseNames = []string{"forward", "backward", "update"}

// layers has the columns of the program's layers. They come from the ops' layer paths or, without
// these, from the names of arguments. It also has the tree of layers, in which repeated layers are
// one.
type layers struct {
	Name   column `json:"name"`
	Node   column `json:"node"`   // index in the tree
	Repeat lists  `json:"repeat"` // layerpath.Place.Repeat

	Tree tree `json:"tree"`
}

// tree is a layerpath.Tree as columns.
type tree struct {
	Parent column   `json:"parent"`
	Name   []string `json:"name"`
	// Repeats are the names of the layers that a node stands for. There are none if it is one
	// layer.
	Repeats [][]string `json:"repeats"`
}

// addLayers adds the layers and phases of the ops. The ops must have been added.
//
// An op belongs to the backward pass if its path says so, or if it has no path and depends on the
// backward pass. Other ops that depend on the backward pass belong to the update, the work of the
// optimizer. No op depends on the backward pass because it reads a constant: all passes share equal
// constants. An update belongs to the layer whose variable it updates, if the path names that layer
// after the optimizer.
func (r *rows) addLayers() {
	paths := make([]layerpath.Path, len(r.ops))
	phases := make([]phase, len(r.ops))
	after := map[*ir.Op]bool{}     // depends on the backward pass
	late := map[*ir.Value]bool{}   // depends on the backward pass
	varies := map[*ir.Value]bool{} // depends on inputs
	known := map[string]bool{}     // layers of the forward and backward pass, and those that contain them
	named := false
	for at, op := range r.order {
		paths[at] = layerpath.Parse(op.Loc.Path)
		named = named || len(paths[at].Layers) > 0
	}
	if !named {
		layers := r.argumentLayers()
		for at, op := range r.order {
			paths[at].Layers = layerpath.Parse(layers[op]).Layers
		}
	}
	for at, op := range r.order {
		parent := op.Block().Parent()
		after[op] = r.dependOn(op, paths[at].Backward, late, varies) || parent != nil && after[parent]
		switch {
		case !after[op] && !paths[at].Backward:
		case paths[at].Backward || op.Loc.Path == "":
			phases[at] = backward
		default:
			phases[at] = update
			continue
		}
		for i := range paths[at].Layers {
			known[strings.Join(paths[at].Layers[:i+1], "/")] = true
		}
	}
	names := make([]string, len(paths))
	for at, p := range paths {
		names[at] = strings.Join(p.Layers, "/")
		if phases[at] != update || len(p.Layers) < 2 {
			continue
		}
		for n := len(p.Layers); n > 1; n-- {
			if layer := strings.Join(p.Layers[1:n], "/"); known[layer] {
				names[at] = layer
				break
			}
		}
	}
	for _, p := range phases {
		r.Ops.Phase = append(r.Ops.Phase, int(p))
	}
	r.foldLayers(names, phases)
}

// dependOn adds the results of op to late, the values that depend on the backward pass, and to
// varies, those that depend on inputs. It reports whether all results are late. backward says that
// the op itself is of the backward pass. A collective may be several that were combined: then each
// result depends on its operand only.
func (r *rows) dependOn(op *ir.Op, backward bool, late, varies map[*ir.Value]bool) bool {
	all := true
	_, sends := r.sent[op]
	for i, result := range op.Results {
		operands := op.Operands
		if sends && len(op.Operands) == len(op.Results) {
			operands = operands[i : i+1]
		}
		isLate := backward
		for _, v := range operands {
			isLate = isLate || late[v]
			varies[result] = varies[result] || v.Def() == nil || varies[v]
		}
		late[result] = isLate && varies[result]
		all = all && late[result]
	}
	return all && len(op.Results) > 0
}

// foldLayers adds the layer of each op, which names has by row, and the tree of these layers: first
// those of other phases in program order, then those of the update. phases has the phase of each
// row. It also adds the corresponding ops of repeated layers.
func (r *rows) foldLayers(names []string, phases []phase) {
	l := &r.Layers
	index := map[string]int{}
	var first, last []string
	r.program.Module.Main().Walk(func(op *ir.Op) {
		at, ok := r.ops[op]
		switch {
		case !ok:
		case phases[at] == update:
			last = append(last, names[at])
		default:
			first = append(first, names[at])
		}
	})
	t := layerpath.NewTree(append(first, last...))
	for _, name := range names {
		at, ok := index[name]
		if !ok {
			at = len(l.Name)
			index[name] = at
			place := t.Place(name)
			l.Name = append(l.Name, r.strings.add(name))
			l.Node = append(l.Node, place.Node)
			l.Repeat.add(place.Repeat)
		}
		r.Ops.Layer = append(r.Ops.Layer, at)
	}
	for _, n := range t.Nodes {
		l.Tree.Parent = append(l.Tree.Parent, n.Parent)
		l.Tree.Name = append(l.Tree.Name, n.Label())
		l.Tree.Repeats = append(l.Tree.Repeats, append([]string{}, n.Repeats...))
	}
	r.addAlike(t, names)
}
