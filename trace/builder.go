package trace

// This file defines Builder. A backend of GoMLX uses it to record the graphs that GoMLX builds.

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Capabilities returns what a Builder can record. Other operations are refused, or GoMLX decomposes
// them. AllReduce is recorded only in graphs that are written for one device (DistributedSPMD).
func Capabilities() compute.Capabilities { return capabilities.Clone() }

// Builder is a compute.Builder that records one graph into a module. It is for a backend of GoMLX,
// whose graphs GoMLX builds. A program that builds a graph itself calls Record instead. A Builder
// executes nothing: its Compile returns an error, so a backend embeds a Builder and has a Compile
// of its own.
type Builder struct {
	*builder
}

var _ compute.Builder = Builder{}

// NewBuilder returns a Builder of a module of the given name that has main and the functions that
// main calls. dm is the mesh of the module; nil means one device.
func NewBuilder(name string, dm *mesh.DeviceMesh) Builder {
	r := newModule(name, dm)
	return Builder{&builder{r: r, name: name, dist: &distribution{}}}
}

// Module returns the recorded module, whose results are named output0, output1, …. Values have
// shardings only if GoMLX distributes the graph. It is an error if main has not returned, or if a
// sharding spec does not suit its value.
//
// The path of an op is that of a parameter that it uses, without the last element: an op that uses
// /model/dense/weights is of the layer model/dense. An op that uses no such parameter has the path
// of its last operand with one. GoMLX gives metrics UUIDs; in names of parameters they become the
// numbers 0, 1, …, so that all processes of a job, and the next start, have the same program.
func (b Builder) Module() (*ir.Module, error) {
	if b.main == nil || !b.main.returned {
		return nil, fmt.Errorf("trace: %q: main has not returned: call Return before Compile", b.name)
	}
	r := b.r
	r.main.Return(r.results...)
	r.dropUnusedClosures()
	for i := range r.main.Results {
		r.main.Results[i].Name = fmt.Sprintf("output%d", i)
	}
	numberUUIDs(r.main)
	nameLayers(r.main)
	if b.IsDistributed() {
		if err := b.distribute(); err != nil {
			return nil, fmt.Errorf("trace: %q: %w", b.name, err)
		}
	}
	return r.module, nil
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// numberUUIDs replaces the UUIDs in the names of main's parameters by the numbers 0, 1, …, in the
// order of the parameters, so that recordings have the same text. Equal UUIDs get the same number.
func numberUUIDs(main *ir.Func) {
	numbers := map[string]string{}
	for _, p := range main.Params() {
		p.Name = uuid.ReplaceAllStringFunc(p.Name, func(id string) string {
			if numbers[id] == "" {
				numbers[id] = strconv.Itoa(len(numbers))
			}
			return numbers[id]
		})
	}
}
