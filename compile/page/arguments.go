package page

// This file names layers by the names of arguments, for programs whose ops have no layer paths: JAX
// writes the keys of a model's weights into their names.

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// key matches one key in the name of a JAX weight: ['blocks'], [0], .kernel.
var key = regexp.MustCompile(`\['([^']*)'\]|\[(\d+)\]|\.(\w+)`)

// argumentLayer returns the layers in the name of an argument: blocks[0]/q for p['blocks'][0]['q'].
// It leaves out indices into the tuple of the program's arguments, and indices after the last name.
// A name without keys is returned as it is.
func argumentLayer(name string) string {
	var parts []string
	for _, m := range key.FindAllStringSubmatch(name, -1) {
		last := len(parts) - 1
		switch index := m[2]; {
		case index == "":
			parts = append(parts, m[1]+m[3])
		case last >= 0 && !strings.HasSuffix(parts[last], "]"):
			parts[last] += "[" + index + "]"
		case last >= 0:
			parts = append(parts, index)
		}
	}
	for len(parts) > 1 && strings.Trim(parts[len(parts)-1], "0123456789") == "" {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return name
	}
	return strings.Join(parts, "/")
}

// shownName returns the name of input i for the page. If it has none, it is the name of the result
// that takes over its memory, if that is more than an index.
func shownName(p *program.Program, i int) string {
	in := p.Inputs[i]
	if p.Module.Main().Params()[i].Name == "" && in.Donated() {
		if name := p.Outputs[in.Alias].Name; argumentLayer(name) != name {
			return name
		}
	}
	return in.Name
}

// inputLayer returns the layers in the name of input i. An input without a name is a layer by
// itself, named by its shape.
func (r *rows) inputLayer(i int) string {
	name := shownName(r.program, i)
	if isUnnamed(name) {
		return name + " " + r.program.Inputs[i].Type.Short()
	}
	return argumentLayer(name)
}

// isUnnamed reports whether name is the default name of an unnamed input, or the layer of one.
func isUnnamed(name string) bool { return unnamed.MatchString(name) }

var unnamed = regexp.MustCompile(`^arg\d+($| )`)

// argumentLayers returns the layer of each op, from the names of arguments. It is the layer of the
// last argument that the op reads, directly or through values that are computed only from this
// argument. If there is none, it is the layer of the operand that is made last. Data, such as a
// batch, give an op their name only if nothing else does. An op that then has no layer gets that of
// the first op that uses it.
func (r *rows) argumentLayers() map[*ir.Op]string {
	f := r.program.Module.Main()
	isData := func(i int) bool { return r.program.Inputs[i].Role == ir.RoleData }
	onlyData := !slices.ContainsFunc(r.program.Inputs, func(in program.Input) bool { return in.Role != ir.RoleData })
	weights, data := map[*ir.Value]string{}, map[*ir.Value]string{}
	for i, v := range f.Params() {
		if isData(i) && !onlyData {
			data[v] = r.inputLayer(i)
		} else {
			weights[v] = r.inputLayer(i)
		}
	}
	layers, turn := map[*ir.Op]string{}, map[*ir.Op]int{}
	var all []*ir.Op
	f.Walk(func(op *ir.Op) {
		turn[op] = len(all)
		all = append(all, op)
		layer, read, latest := "", "", -1
		for _, v := range op.Operands {
			def := v.Def()
			if def == nil && v.Block() != f.Body {
				def = v.Block().Parent()
			}
			switch {
			case weights[v] != "":
				layer = weights[v]
			case data[v] != "":
				read = data[v]
			case def != nil && turn[def] > latest && layers[def] != "":
				latest = turn[def]
			}
		}
		if layer == "" && latest >= 0 {
			layer = layers[all[latest]]
		}
		if layer == "" {
			layer = read
		}
		layers[op] = layer
		for i, v := range op.Results {
			from := op.Operands
			if len(op.Operands) == len(op.Results) {
				from = op.Operands[i : i+1]
			}
			if of := weightOf(weights, from); of != "" {
				weights[v] = of
			}
		}
	})
	for _, op := range slices.Backward(all) { // an op that reads nothing gets the layer of its user
		for _, v := range op.Results {
			if user := v.FirstUse(); layers[op] == "" && user != nil {
				layers[op] = layers[user]
			}
		}
	}
	return layers
}

// weightOf returns the layer of the weight that all of the values are computed from, besides
// constants. It returns "" if there is no such weight.
func weightOf(weights map[*ir.Value]string, values []*ir.Value) string {
	layer := ""
	for _, v := range values {
		switch of := weights[v]; {
		case of == "" && v.Def() != nil && len(v.Def().Operands) == 0:
		case of == "" || layer != "" && of != layer:
			return ""
		default:
			layer = of
		}
	}
	return layer
}
