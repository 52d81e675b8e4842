package report

// This file makes a Report: what one run of a program costs each device.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// Report says what one run of a Program costs each device. All of it is known before the program
// runs, and none of it depends on the engine. Bytes are those of the device that sends most; shapes
// include padding. The JSON form has the names in the tags.
type Report struct {
	Program string `json:"program"`
	Mesh    string `json:"mesh"`
	Devices int    `json:"devices"`

	// Collectives are in program order. A program of Form Annotated for several devices has none
	// yet, because XLA adds them: Partitioned is then false, and Bytes, Flops and the temporary
	// memory are 0.
	Partitioned bool         `json:"partitioned"`
	Collectives []Collective `json:"collectives"`
	Bytes       int          `json:"bytes"` // sent by a device, all collectives together
	Flops       int          `json:"flops"`
	// LoopsUnknown says that the program has a loop without a known trip count. All sums count one
	// iteration of it.
	LoopsUnknown bool `json:"loops_unknown,omitempty"`
	// SpeedUp compares with one device; nil if that is not possible.
	SpeedUp *SpeedUp `json:"speed_up,omitempty"`
	// Prediction is the predicted time of a run on the report's machine. It is nil if the bandwidth
	// of the machine's memory is not known, as that of the default machine.
	Prediction *cost.Prediction `json:"prediction,omitempty"`

	Memory Memory `json:"memory"`
	// Replicated lists the inputs that could be sharded along more axes, the
	// largest gain first.
	Replicated []Replicated `json:"replicated"`
	// Overrides lists the annotations that the program does not keep, because another layout costs
	// less.
	Overrides []program.Override `json:"overrides,omitempty"`
	// Fitting says how the program was made to fit into memory, as program.Program.Fitting does.
	Fitting *program.Fitting `json:"fitting,omitempty"`

	machine *cost.Machine // the machine for the speed-up
	live    []LiveBuffer  // all temporary values at the peak, the largest first
	usage   cost.Usage    // Memory is a part of it
}

// Usage returns the memory that the program uses during its run. r.Memory describes its peak. It is
// zero unless r.Partitioned is set.
func (r *Report) Usage() cost.Usage { return r.usage }

// Collective is one collective op of a program.
type Collective struct {
	Kind  cost.Kind `json:"kind"`
	Axes  []string  `json:"axes"`  // mesh axes; of a sub-axis "x:(1)2"
	Bytes int       `json:"bytes"` // bytes that a device sends each time it runs
	Runs  int       `json:"runs"`  // number of times that it runs; 0 in the cheaper branches of an if
	Op    string    `json:"op"`    // for a reduction, the op that makes its operand; else the op that uses the result
	Layer string    `json:"layer"` // layer path, such as grad(d1)
	Where string    `json:"where"` // source line
	Why   string    `json:"why"`
	// Values names the values of the source program that the collective serves. For a reduction it
	// is the value whose partial results it reduces. For others it is the first result of the op
	// that needs the collective or, if a result of the program needs it, the value of that result.
	// There are several values if collectives were combined.
	Values []string `json:"values,omitempty"`
}

// Total returns the bytes that a device sends in all runs.
func (c Collective) Total() int { return c.Bytes * c.Runs }

// Memory is the predicted memory of one device, in bytes, by its content.
type Memory struct {
	Data       int `json:"data"`
	Parameters int `json:"parameters"`
	Optimizer  int `json:"optimizer"`
	State      int `json:"state"`
	Outputs    int `json:"outputs"` // results that do not take over the memory of an input
	Constants  int `json:"constants"`
	Temporary  int `json:"temporary"` // the largest sum of all other values at one time
	Peak       int `json:"peak"`      // all of the above
	// Host is the memory of the host that inputs take for each device. It is not part of Peak.
	Host int `json:"host,omitempty"`
	// Moved are the values that a run moves to the memory of the host, to fetch them again: by a
	// policy or a limit of ours, and as the program itself says, as with an offload policy of JAX.
	// Results that stay there do not count. A value of a loop counts once.
	Moved Moved `json:"moved,omitzero"`
	// Largest are the largest temporary values at the peak.
	Largest []LiveBuffer `json:"largest"`
}

// Moved is a number of values and the sum of their bytes.
type Moved struct {
	Values int `json:"values"`
	Bytes  int `json:"bytes"`
}

// MemoryPart is one part of the memory at the peak, such as "parameters".
type MemoryPart struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// Parts returns the parts of the memory at the peak, temporaries last.
func (m Memory) Parts() []MemoryPart {
	return []MemoryPart{
		{"data", m.Data}, {"parameters", m.Parameters}, {"optimizer", m.Optimizer}, {"state", m.State},
		{"outputs", m.Outputs}, {"constants", m.Constants}, {"temporary", m.Temporary},
	}
}

// Fixed returns the bytes that are in use for the whole run: the peak without temporary values.
func (m Memory) Fixed() int { return m.Peak - m.Temporary }

// LiveBuffer is a temporary value that is in memory at the peak.
type LiveBuffer struct {
	Bytes int    `json:"bytes"`
	Type  string `json:"type"`
	Op    string `json:"op"`
	Layer string `json:"layer"`
}

// Replicated is an input that has the same shard on several devices.
type Replicated struct {
	Name  string   `json:"name"`
	Role  ir.Role  `json:"role"`
	Axes  []string `json:"axes"`  // axes that do not shard it
	Bytes int      `json:"bytes"` // per device
	// bytes that a device saves if the unused axes shard the largest dimension
	Saved int `json:"saved"`
}

// maxLargest is the largest length of Memory.Largest.
const maxLargest = 8

// New returns the report of a program for the default machine, with the memory of devices of p's
// target. It takes time in proportion to the number of ops, whatever the number of devices.
func New(p *program.Program) *Report { return NewFor(p, nil) }

// NewFor is New for another machine; nil stands for that of New. The machine determines the
// predicted speed-up, time and memory; all else is the same on every machine.
func NewFor(p *program.Program, machine *cost.Machine) *Report {
	if machine == nil {
		machine = cost.Default()
		machine.Platform = target.Of(p.Target).Platform
	}
	r := &Report{
		machine: machine,
		Program: p.Name, Mesh: p.Mesh.String(), Devices: p.Mesh.Size(),
		Partitioned: p.Form == program.PerDevice || p.Mesh.Size() == 1,
		Collectives: []Collective{}, Replicated: []Replicated{},
	}
	r.addSignature(p)
	if r.Partitioned {
		r.addMain(p)
	}
	r.Overrides, r.Fitting = p.Overrides, p.Fitting
	m := &r.Memory
	m.Peak = m.Data + m.Parameters + m.Optimizer + m.State + m.Outputs + m.Constants + m.Temporary
	return r
}

// addSignature adds to r the figures that follow from p's inputs and outputs: memory by role,
// results that take no argument's memory, and replicated inputs.
func (r *Report) addSignature(p *program.Program) {
	m := &r.Memory
	sums := map[ir.Role]*int{ir.RoleData: &m.Data, ir.RoleParameter: &m.Parameters, ir.RoleOptimizer: &m.Optimizer, ir.RoleState: &m.State}
	donated := make([]bool, len(p.Outputs))
	for _, in := range p.Inputs {
		if in.Memory.OnHost() {
			m.Host += in.Local.MemoryBytes()
		} else {
			*sums[in.Role] += r.machine.ArgumentBytes(in.Local)
		}
		if in.Donated() {
			donated[in.Alias] = true
		}
		if rep, ok := replicationOf(in, p.Mesh); ok {
			r.Replicated = append(r.Replicated, rep)
		}
	}
	slices.SortStableFunc(r.Replicated, func(a, b Replicated) int { return cmp.Compare(b.Saved, a.Saved) })
	for i, out := range p.Outputs {
		if !donated[i] && !out.Memory.OnHost() {
			m.Outputs += r.machine.ArgumentBytes(out.Local)
		}
	}
}

// addMain adds to r the figures that follow from p's per-device module: collectives, bytes, FLOPs,
// the speed-up and the prediction, each nil if it cannot be made, and the largest values at the
// peak of memory. It replaces the memory of outputs that addSignature has set, and sets the memory
// of constants and temporary values. Memory.Peak is left to the caller.
func (r *Report) addMain(p *program.Program) {
	f := p.Module.Main()
	sent := 0
	for _, c := range cost.Collectives(p.Mesh, f) {
		sent += r.machine.SendCost(c.Axes, c.Total(), c.Runs)
		r.Collectives = append(r.Collectives, describe(c))
		r.Bytes += c.Total()
	}
	r.Flops, r.LoopsUnknown = cost.Flops(f)
	r.SpeedUp = r.speedUp(p.OneDeviceFlops, sent)
	if r.machine.MemoryBandwidth > 0 {
		r.Prediction = r.machine.Predict(p.Mesh, f)
	}
	donors := make([]int, len(p.Outputs))
	for i := range donors {
		donors[i] = slices.IndexFunc(p.Inputs, func(in program.Input) bool { return in.Alias == i })
	}
	u := r.machine.MemoryOf(f, func(result int) int { return donors[result] })
	r.usage = u
	m := &r.Memory
	m.Outputs, m.Constants, m.Temporary = u.Outputs, u.Constants, u.Temporary
	for _, h := range u.Live {
		r.live = append(r.live, LiveBuffer{Bytes: h.Bytes, Type: h.Type.Short(), Op: h.Op.FullName(), Layer: h.Op.Loc.Path})
	}
	m.Largest = append([]LiveBuffer{}, r.live[:min(len(r.live), maxLargest)]...)
	f.Walk(func(op *ir.Op) {
		if kind, ok := op.Placement(); ok && kind.OnHost() && !isReturned(op.Result()) {
			m.Moved.Values++
			m.Moved.Bytes += op.Result().Type.MemoryBytes()
		}
	})
}

// isReturned reports whether v is a result of its function, perhaps behind barriers.
func isReturned(v *ir.Value) bool {
	for u := range v.Uses() {
		switch {
		case u.Op.Block().Terminator() == u.Op:
			return true
		case u.Op.Kind == ir.OpOptimizationBarrier && isReturned(u.Op.Results[u.Operand]):
			return true
		}
	}
	return false
}

// describe returns the report's entry for the collective c: kind, axes, bytes, runs, op, layer and
// place, and the values that it serves.
func describe(c cost.Collective) Collective {
	out := Collective{Kind: c.Kind, Axes: AxisNames(c.Axes), Bytes: c.Bytes, Runs: c.Runs, Op: servedOp(c)}
	loc := c.Op.Loc
	out.Layer, loc.Path = loc.Path, ""
	if !loc.IsZero() {
		out.Where = loc.String()
	}
	why, _ := c.Op.Attrs.Get("why").(ir.String)
	out.Why = string(why)
	out.Values = servedValues(c.Op)
	return out
}

// servedValues names the values that a collective serves (see Collective.Values).
func servedValues(op *ir.Op) (out []string) {
	for i, id := range op.Loc.Op.All() {
		var v *ir.ValueID
		switch {
		case len(id.Results) > 0:
			v = id.Results[0]
		case i < len(op.Results): // the user is a return
			if v = op.Results[i].Origins.Best(); v == nil && i < len(op.Operands) {
				v = op.Operands[i].Origins.Best()
			}
		}
		if v != nil && !slices.Contains(out, v.String()) {
			out = append(out, v.String())
		}
	}
	return out
}

// servedOp returns the name of the op that the collective serves: for a reduction the op that makes
// its operand, or "input"; otherwise the op that reads its result, "" if there is none.
func servedOp(c cost.Collective) string {
	if c.Kind.Reduces() {
		// A combined reduction has the location of one of its parts.
		from := slices.IndexFunc(c.Op.Operands, func(v *ir.Value) bool { return v.Def() != nil && isPart(v.Def().Loc, c.Op.Loc) })
		if d := c.Op.Operands[max(from, 0)].Def(); d != nil {
			return d.FullName()
		}
		return "input"
	}
	if user := c.Op.Results[0].FirstUse(); user != nil {
		return user.FullName()
	}
	return ""
}

// isPart reports whether l is the location of one op, and all a location that stands for this op,
// perhaps together with others.
func isPart(l, all ir.Location) bool {
	made := l.Op == nil && all.Op == nil || slices.Contains(all.Op.All(), l.Op)
	l.Op = all.Op
	return made && l == all
}

// AxisNames returns the texts of the axes, in the form that reports use: "data", or "model:(1)2"
// for a sub-axis.
func AxisNames(axes []mesh.AxisRef) []string {
	out := make([]string, len(axes))
	for i, a := range axes {
		out[i] = a.String()
	}
	return out
}

// replicationOf returns what would be saved if the input were sharded along more axes. The second
// result is false if that saves nothing.
func replicationOf(in program.Input, dm *mesh.DeviceMesh) (Replicated, bool) {
	r := Replicated{Name: in.Name, Role: in.Role, Bytes: in.Local.MemoryBytes()}
	free := freeAxes(in.Sharding, dm)
	largest := 0
	for _, d := range in.Local.Dims {
		largest = max(largest, d)
	}
	if n := dm.RefsSize(free); n > 1 && largest > 1 {
		part := (largest + n - 1) / n
		r.Axes, r.Saved = AxisNames(free), r.Bytes-r.Bytes/largest*part
	}
	return r, r.Saved > 0
}

// freeAxes returns the axes of dm with more than one device that shard no dimension of s, not even
// in part.
func freeAxes(s *layout.Sharding, dm *mesh.DeviceMesh) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, a := range dm.Axes() {
		ref := mesh.FullAxis(a.Name)
		used := slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return slices.ContainsFunc(d.Axes, ref.Overlaps) })
		if a.Size > 1 && !used {
			out = append(out, ref)
		}
	}
	return out
}
