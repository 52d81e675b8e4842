package keras

// This file compiles, caches and loads the programs of steps: a program for each kind of step and
// shape of batch, of one step or of as many as an execution has. A program may be loaded in the
// background before it is needed.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// stepKind is a kind of step: training, test or prediction.
type stepKind string

const (
	trainStep   stepKind = "train_step"
	testStep    stepKind = "test_step"
	predictStep stepKind = "predict_step"
)

// stepProgram is the program of a step, or of several, of a model: as traced, as compiled, and as
// loaded on the devices.
type stepProgram struct {
	kind     stepKind
	recorded *ir.Module      // as traced, with its sharding annotations
	options  compile.Options // of the compiler
	compiled *program.Program
	exe      *runtime.Executable
	over     *fit.OverLimitError // its memory is over the limit all the same; nil: it is not
	// number of inputs that are tensors of the batch, or stacks of those of several batches: X,
	// then Y, then sample weights
	batch    int
	read     []*variable.Variable // the other inputs
	assigned []*variable.Variable // the first results
	logs     []string             // names of the results of train and test steps that are logs
}

// program returns the program of a step for each of the batches, which are of one shape. On the
// first call it compiles and loads it, logs what the compiler warns of, and lints its layouts.
// While the engine loads it, the first values of its variables come to the devices; with a memory
// limit they come after that, since the engine's figures decide which program it is. A program over
// the budget or the memory limit is an error.
func (m *Model) program(ctx context.Context, c *runtime.Client, kind stepKind, bs ...data.Batch) (*stepProgram, error) {
	key := programKey(kind, bs)
	if p, ok := m.compiled.programs[key]; ok {
		return p, nil
	}
	m.targetClient(c)
	pending := m.pendingAs(key)
	p, err := m.preparedOr(ctx, pending, kind, bs)
	if err != nil {
		return nil, err
	}
	limited := p.options.MemoryLimit > 0
	if pending != nil {
		m.compiled.pending = slices.DeleteFunc(m.compiled.pending, func(p *pendingProgram) bool { return p == pending })
	} else if limited || !spans(c, m.mesh()) { // processes of a job do both in one order
		pending = m.loadPending(ctx, c, key, p)
	}
	if limited {
		if err := pending.wait(); err != nil {
			return nil, err
		}
		m.noteLimit(p)
	}
	for _, d := range p.compiled.Diagnostics {
		m.warn(m.compiled.logger, d.String())
	}
	m.lint(p)
	if err := m.allocate(ctx, c, p); err != nil {
		pending.drop()
		return nil, err
	}
	if pending == nil {
		pending = m.loadPending(ctx, c, key, p)
	}
	if err := pending.wait(); err != nil {
		return nil, err
	}
	m.compiled.programs[key] = p
	m.compiled.order = append(m.compiled.order, key)
	return p, nil
}

// targetClient sets the compiler's options that are not given to those of client c: the machine,
// the platform and the compilation cache.
func (m *Model) targetClient(c *runtime.Client) {
	if m.compiled.compiler.Machine == nil {
		m.compiled.compiler.Machine = machineOf(c, m.mesh())
	}
	if m.compiled.compiler.Platform == "" {
		m.compiled.compiler.Platform = target.NameOf(c.Platform())
	}
	if m.compiled.compiler.Cache == nil {
		m.compiled.compiler.Cache = c.CompilationCache()
	}
}

// Programs returns the train, test and predict steps that have been compiled so far, one for each
// shape and number of batches, in the order of their first use. It is empty before Compile.
func (m *Model) Programs() []*program.Program {
	var out []*program.Program
	if m.compiled != nil {
		for _, key := range m.compiled.order {
			out = append(out, m.compiled.programs[key].compiled)
		}
	}
	return out
}

// prepare traces a step of that kind for each of the batches bs, and compiles the program. It needs
// no device: the program is loaded later. With a memory limit it is compiled there too
// (loadWithin).
func (m *Model) prepare(ctx context.Context, kind stepKind, bs []data.Batch) (*stepProgram, error) {
	r, err := m.record(kind, bs...)
	if err != nil {
		return nil, err
	}
	m.nameRules(r.module.Main())
	o := m.compilerOptions(kind)
	if distribution.ProcessID() > 0 {
		o.Debug.Dump = "" // process 0 writes the same
	}
	if o.Debug.Dump != "" {
		o.Debug.Dump = filepath.Join(o.Debug.Dump, fmt.Sprintf("%02d_%s", len(m.compiled.order), r.module.Name))
	}
	p := &stepProgram{
		kind:     kind,
		recorded: r.module,
		options:  o,
		batch:    len(bs[0].Tensors()),
		read:     r.scope.Read(),
		assigned: r.assigned,
		logs:     r.logs,
	}
	if o.MemoryLimit == 0 {
		p.compiled, err = p.compile(ctx, 0)
	}
	return p, err
}

// compile returns the program of the step for a limit of memory, in bytes; 0 is none. A training
// step has the number of micro-batches of the option MicroBatches, or the next smaller one that
// divides the batch.
func (p *stepProgram) compile(ctx context.Context, limit int) (*program.Program, error) {
	o := p.options
	o.MemoryLimit = limit
	return divided(o, func(o compile.Options) (*program.Program, error) { return compile.Compile(ctx, p.recorded, o) })
}

// divided returns the results of do with o. If the micro-batches do not divide the samples of a
// device, as those of the last batch of an epoch may be, it calls do again with the next smaller
// number that does.
func divided[R any](o compile.Options, do func(o compile.Options) (R, error)) (R, error) {
	r, err := do(o)
	var odd *microbatch.Error
	if !errors.As(err, &odd) || odd.Samples == 0 {
		return r, err
	}
	for o.MicroBatches > 1 && odd.Samples%o.MicroBatches != 0 {
		o.MicroBatches--
	}
	return do(o)
}

// compilerOptions returns the options that steps of that kind are compiled with. A limit of memory
// chooses the layouts of slots once, for the first training step; later steps keep them.
func (m *Model) compilerOptions(kind stepKind) compile.Options {
	o := m.firstOptions(kind)
	if f := m.compiled.fitted; f != nil && f.Limit > 0 {
		o = o.KeepPlacementOf(f)
	}
	return o
}

// firstOptions returns the options that the first step of that kind is compiled with: those of
// Compile, with the model's budget, what bounds its memory, and what its distribution asks for.
func (m *Model) firstOptions(kind stepKind) compile.Options {
	o := m.compiled.compiler
	if b := m.compiled.budget; !b.IsZero() {
		o.Budget = b
	}
	if n := m.compiled.memory; n > 0 {
		o.MemoryLimit = n
	}
	if n := m.compiled.microBatches; n > 0 && kind == trainStep {
		o.MicroBatches = n
	}
	if p := m.memoryPolicies(); p != nil {
		o.MemoryPolicies = p
	}
	if d, ok := m.dist.(distribution.ShardedUpdater); ok && d.ShardedUpdate() {
		o.ShardedUpdate = true
	}
	if d, ok := m.dist.(distribution.FullySharder); ok && d.FullySharded() {
		o.FullySharded = true
	}
	if d, ok := m.dist.(distribution.OptimizerOffloader); ok && d.OffloadOptimizer() {
		o.OffloadOptimizer = true
	}
	if d, ok := m.dist.(*distribution.ModelParallel); ok && d.KeepLayouts() {
		o.KeepLayouts = true
	}
	return o
}

// programKey returns the key in compiled.programs of the program of a step of that kind for batches
// like bs: their number, types and shapes.
func programKey(kind stepKind, bs []data.Batch) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d %s", len(bs), kind)
	for _, t := range bs[0].Tensors() {
		s.WriteByte(' ')
		s.WriteString(t.Shape().String())
	}
	fmt.Fprintf(&s, " weighted %d", len(bs[0].SampleWeight))
	return s.String()
}

// pendingProgram is a program that an engine is loading. The first use of the program waits until
// it is loaded, and returns the error of loading.
type pendingProgram struct {
	key    string
	step   *stepProgram
	err    error
	loaded chan struct{} // closed as soon as step.exe or err is set
	cancel context.CancelFunc
}

// loadPending starts to load the program of step on c in the background, and returns it. key
// identifies it.
func (m *Model) loadPending(ctx context.Context, c *runtime.Client, key string, step *stepProgram) *pendingProgram {
	var job agree.Job
	if of := m.jobOn(c); of != nil {
		job = of
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &pendingProgram{key: key, step: step, loaded: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(p.loaded)
		if step.options.MemoryLimit > 0 {
			p.err = step.loadWithin(ctx, c, job)
		} else {
			step.exe, p.err = c.Load(ctx, step.compiled)
		}
	}()
	return p
}

// wait waits until the program is loaded. It returns the error of loading, in each call.
func (p *pendingProgram) wait() error {
	<-p.loaded
	p.cancel()
	return p.err
}

// drop cancels the loading of the program, and closes it if it is loaded: no step has used it. It
// does nothing if p is nil.
func (p *pendingProgram) drop() {
	if p == nil {
		return
	}
	p.cancel()
	if p.wait() == nil {
		p.step.exe.Close()
	}
}

// preparedOr returns the step of the pending program p, which may still be loading. If p is nil, it
// traces and compiles the step for the batches instead.
func (m *Model) preparedOr(ctx context.Context, p *pendingProgram, kind stepKind, bs []data.Batch) (*stepProgram, error) {
	if p == nil {
		return m.prepare(ctx, kind, bs)
	}
	return p.step, nil
}

// pendingAs returns the pending program with the given key, or nil if none is pending.
func (m *Model) pendingAs(key string) *pendingProgram {
	for _, p := range m.compiled.pending {
		if p.key == key {
			return p
		}
	}
	return nil
}

// dropPending drops all pending programs, so that none is loading afterwards. It does nothing for a
// model that is not compiled.
func (m *Model) dropPending() {
	if m.compiled == nil {
		return
	}
	for _, p := range m.compiled.pending {
		p.drop()
	}
	m.compiled.pending = nil
}

// loadTest begins to load the program of the test step for batches like b, in the background. It
// does nothing if b does not fit the model.
func (m *Model) loadTest(ctx context.Context, c *runtime.Client, b data.Batch) {
	b, err := m.conforming(b)
	if err == nil && m.checkBatch(b, testStep) == nil {
		m.loadAhead(ctx, c, testStep, []data.Batch{b})
	}
}

// loadAhead starts to load the program that runs a step on each of the batches, unless it is loaded
// or pending. It returns false if the step cannot be prepared. The program is among
// m.compiled.pending until its first use.
func (m *Model) loadAhead(ctx context.Context, c *runtime.Client, kind stepKind, bs []data.Batch) bool {
	key := programKey(kind, bs)
	if m.compiled.programs[key] != nil || m.pendingAs(key) != nil {
		return true
	}
	step, err := m.prepare(ctx, kind, bs)
	if err != nil {
		return false
	}
	m.compiled.pending = append(m.compiled.pending, m.loadPending(ctx, c, key, step))
	return true
}

// machineOf returns the cost model of the machine that steps are compiled for; dm is nil for one
// device. Virtual CPU devices of one process share the processors of the host. Chips that package
// hardware knows are the machine of their target (targetOf). Other devices are the default machine
// on their platform.
//
// Mesh axes that cross processes have the client's links. The default links are those of gospmd's
// own transport: chips keep their own in place of these, since XLA's runtime joins them across
// processes.
func machineOf(c *runtime.Client, dm *mesh.DeviceMesh) *cost.Machine {
	crossing := spans(c, dm)
	if c.Platform() == hardware.CPU && !crossing {
		return cost.Host()
	}
	var links map[string]runtime.Link
	if crossing {
		links = c.Links(dm)
	}
	if t, ok := targetOf(c.Devices(), links); ok {
		if m, err := cost.MachineFor(t, dm); err == nil {
			maps.DeleteFunc(links, func(_ string, l runtime.Link) bool { return l == runtime.LocalLink || l == runtime.NetworkLink })
			return withLinks(m, links)
		}
	}
	m := cost.Default()
	m.Platform = c.Platform()
	if crossing {
		m.Name = "default, in several processes"
	}
	return withLinks(m, links)
}

// targetOf returns the target that the devices of all processes form, whose links between processes
// are those given. GPUs are in one host if the links are those of one machine; otherwise each
// process has those of a host. ok is false if the chip is not known, or if no such target is.
func targetOf(all []runtime.Device, links map[string]runtime.Link) (t hardware.Target, ok bool) {
	kind, processes := all[0].Kind, all[len(all)-1].Process+1
	t, ok = hardware.Of(kind, len(all))
	if ok && (t.Chip.Torus != nil || processes == 1 || slices.Contains(slices.Collect(maps.Values(links)), runtime.LocalLink)) {
		return t, true
	}
	t, ok = hardware.Of(kind, len(all)/processes)
	if !ok || t.Chip.Torus != nil || len(all)%processes != 0 {
		return hardware.Target{}, false
	}
	t.Shape = []int{processes, t.Shape[0]}
	return t, true
}

// withLinks returns m with the links of those axes.
func withLinks(m *cost.Machine, links map[string]runtime.Link) *cost.Machine {
	if len(links) == 0 {
		return m
	}
	axes := map[string]cost.Link{}
	maps.Copy(axes, m.Axes)
	for axis, l := range links {
		axes[axis] = cost.Link{Latency: l.Latency, Bandwidth: l.Bandwidth}
	}
	m = m.WithSteps("") // a copy that takes the link of several axes from those of each
	m.Axes = axes
	return m
}
