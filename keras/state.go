package keras

// This file holds the state of a training: the content of a checkpoint, and how it is restored on
// any mesh.

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/jsonfloat"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// State is the state of a training. Tensors are its variables. Metadata holds the positions of the
// training and its dataset, the history, and the states of callbacks. The methods Save and
// SaveAsync of checkpoint.Store write a State.
type State struct {
	Step     int
	Tensors  []checkpoint.Tensor
	Metadata []byte
}

// stateFormat names the format of the metadata in a saved state of a training.
const stateFormat = "gospmd training 1"

// metadata is the content of State.Metadata, in JSON: where the training is in its epochs and data,
// its history, and the states of callbacks.
type metadata struct {
	Format string         `json:"format"`
	Epoch  int            `json:"epoch"`
	Batch  int            `json:"batch"`
	Step   int            `json:"step"`
	Data   *data.Position `json:"data,omitempty"`
	// positions in the datasets of all processes, by process, if each yields a part of a batch
	Parts     []data.Position    `json:"parts,omitempty"`
	Logs      []namedValue       `json:"logs,omitempty"`
	History   historyValues      `json:"history"`
	Callbacks []callbackMetadata `json:"callbacks,omitempty"`
}

type namedValue struct {
	Name  string          `json:"name"`
	Value jsonfloat.Float `json:"value"`
}

type historyValues struct {
	Epochs []int                        `json:"epochs"`
	Logs   map[string][]jsonfloat.Float `json:"logs"`
}

type callbackMetadata struct {
	Kind    string          `json:"kind"`
	Values  json.RawMessage `json:"values,omitempty"`
	Tensors int             `json:"tensors,omitempty"`
}

// The groups of tensors in a checkpoint: their names begin so. The path of the variable follows.
const (
	modelGroup     = "model/"
	optimizerGroup = "optimizer/"
	metricsGroup   = "metrics/"
	callbacksGroup = "callbacks/"
)

// stateGroup is a group of variables whose values a checkpoint of a training holds, such as weights
// or optimizer state, with the names of their tensors. If the prefix is empty, the names are the
// paths of the variables.
type stateGroup struct {
	prefix    string
	names     []string
	variables []*variable.Variable
}

// stateGroups returns all variables that a training changes, in groups: those of the model, the
// optimizers, metrics and the user's own steps.
func (m *Model) stateGroups() []stateGroup {
	own := m.compiled.own
	state := m.compiled.optimizer.Variables()
	for _, o := range own.optimizers {
		state = append(state, o.Variables()...)
	}
	return []stateGroup{
		newStateGroup(modelGroup, slices.Concat(m.Variables(), own.variables)),
		newStateGroup(optimizerGroup, state),
		newStateGroup(metricsGroup, m.compiled.metricVariables()),
	}
}

func newStateGroup(prefix string, vs []*variable.Variable) stateGroup {
	g := stateGroup{prefix: prefix, variables: vs}
	used := make(map[string]int)
	for _, v := range vs {
		name := prefix + v.Path()
		used[name]++
		if n := used[name]; n > 1 { // two metrics of one name
			name = fmt.Sprintf("%s#%d", name, n)
		}
		g.names = append(g.names, name)
	}
	return g
}

// Snapshot copies the state of the training to the host's memory. The training waits only for the
// copy, not for writing it. In a job each process copies the shards that it is to save
// (checkpoint.SaveAcross). The errors are those of State, and of copying.
func (t *Training) Snapshot(ctx context.Context) (*State, error) {
	s, err := t.State(ctx)
	if err != nil {
		return nil, err
	}
	s.Tensors, err = checkpoint.Snapshot(ctx, s.Tensors)
	return s, err
}

// State returns the state of the training. Its variables stay on the devices: save or copy them
// before the next step, which changes them. In a job all processes must call it. Within an epoch,
// and with StepsPerEpoch, a dataset without a position (see Positioned) is an error.
func (t *Training) State(ctx context.Context) (*State, error) {
	meta := metadata{Format: stateFormat, Epoch: t.epoch, Batch: t.batch, Step: t.step, History: historyOut(t.history)}
	if t.batch > 0 {
		logs, err := t.Logs(ctx)
		if err != nil {
			return nil, err
		}
		for _, l := range logs {
			meta.Logs = append(meta.Logs, namedValue{l.Name, jsonfloat.Float(l.Value)})
		}
	}
	if p, ok := t.data.(data.Positioned); ok {
		position := p.Position()
		if t.batch > 0 && t.config.stepsPerEpoch == 0 && position.Batch == 0 {
			// the loop over the data has ended, the epoch has not
			position.Epoch, position.Batch = position.Epoch-1, t.batch
		}
		meta.Data = &position
		var err error
		if meta.Parts, err = t.partPositions(ctx, position); err != nil {
			return nil, err
		}
	} else if t.within(t.batch, t.step) {
		return nil, t.noPosition()
	}
	var all []checkpoint.Tensor
	for _, g := range t.model.stateGroups() {
		for i, v := range g.variables {
			source := checkpoint.Source(v)
			if v.Array() == nil && !t.IsChief() { // all processes have all of it
				source = checkpoint.Host(v.Type(), nil)
			}
			all = append(all, checkpoint.Tensor{Name: g.names[i], Source: source})
		}
	}
	for _, cb := range t.callbacks {
		r, ok := cb.(Resumable)
		if !ok {
			continue
		}
		state, err := r.State()
		if err != nil {
			return nil, fmt.Errorf("%s: its state: %w", kindOf(cb), err)
		}
		for i, x := range state.Tensors {
			source, err := hostSource(x, t.IsChief())
			if err != nil {
				return nil, err
			}
			all = append(all, checkpoint.Tensor{Name: callbackTensor(len(meta.Callbacks), i), Source: source})
		}
		meta.Callbacks = append(meta.Callbacks, callbackMetadata{kindOf(cb), state.Values, len(state.Tensors)})
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	return &State{t.step, all, text}, nil
}

// partPositions returns the positions of the datasets of all processes, by rank, if each process
// yields its own part of a batch: their shuffle seeds may differ. own is the position of this
// process. It returns nil if all processes yield the same batches.
func (t *Training) partPositions(ctx context.Context, own data.Position) ([]data.Position, error) {
	job := t.Job()
	if job == nil || t.model.compiled.feed.shards == 0 {
		return nil, nil
	}
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	values, err := agree.On(ctx, job, "positions in the data", text, nil)
	if err != nil {
		return nil, err
	}
	positions := make([]data.Position, len(values))
	for rank, text := range values {
		if err := json.Unmarshal(text, &positions[rank]); err != nil {
			return nil, fmt.Errorf("process %d sent %q as its position: %w", rank, text, err)
		}
	}
	return positions, nil
}

// position returns the position where this process' dataset continues. It is the process' own
// position if the checkpoint has one for each process and their number is the same, else m.Data,
// which must not be nil.
func (m *metadata) position(c *runtime.Client) data.Position {
	if len(m.Parts) == c.ProcessCount() {
		return m.Parts[c.ProcessIndex()]
	}
	return *m.Data
}

// kindOf returns the name of a callback's type, such as callbacks.EarlyStopping, under which a
// checkpoint holds the callback's state.
func kindOf(cb Callback) string { return strings.TrimPrefix(fmt.Sprintf("%T", cb), "*") }

// callbackTensor returns the name, in a checkpoint, of tensor i of the state of the callback with
// this index: callbacks/0/1.
func callbackTensor(callback, i int) string {
	return fmt.Sprintf("%s%d/%d", callbacksGroup, callback, i)
}

func historyOut(h *History) historyValues {
	out := historyValues{Epochs: append([]int{}, h.Epochs...), Logs: make(map[string][]jsonfloat.Float)}
	for name, values := range h.Logs {
		for _, v := range values {
			out.Logs[name] = append(out.Logs[name], jsonfloat.Float(v))
		}
	}
	return out
}

func (h historyValues) in() *History {
	out := &History{Epochs: h.Epochs, Logs: make(map[string][]float64)}
	for name, values := range h.Logs {
		for _, v := range values {
			out.Logs[name] = append(out.Logs[name], float64(v))
		}
	}
	return out
}

// hostSource returns a copy of a host tensor, to be saved in a checkpoint. Without save, another
// process saves the tensor, and the copy has no elements.
func hostSource(x *tensors.Tensor, save bool) (source checkpoint.Source, err error) {
	t := ir.Tensor(x.DType(), x.Shape().Dimensions...)
	err = x.ConstFlatData(func(flat any) {
		var copied []byte
		if t.Size() > 0 && save {
			copied = slices.Clone(dtypes.UnsafeByteSliceFromAny(flat))
		}
		source = checkpoint.Host(t, copied)
	})
	return source, err
}

// hostTensor returns the tensor with the given name of checkpoint c, whole, in the host's memory. A
// name that c lacks is an error.
func hostTensor(c *checkpoint.Checkpoint, name string) (*tensors.Tensor, error) {
	s, err := c.Tensor(name)
	if err != nil {
		return nil, err
	}
	t := s.Type()
	ranges := make([]layout.Range, t.Rank())
	for i, d := range t.Dims {
		ranges[i] = layout.Range{Start: 0, Limit: d}
	}
	x := tensors.FromShape(shapes.Make(t.DType, t.Dims...))
	var read error
	err = x.MutableFlatData(func(flat any) { read = s.Fill(flat, t.DType, t.Dims, ranges) })
	if err == nil {
		err = read
	}
	return x, err
}

// readMetadata returns the metadata of the checkpoint c. A checkpoint that holds no training, or
// impossible numbers, is an error.
func readMetadata(c *checkpoint.Checkpoint) (*metadata, error) {
	meta := new(metadata)
	text := c.Metadata()
	if err := budget.ForFile(int64(len(text))).JSON(text, budget.Any, "the state of the training"); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), err)
	}
	if err := json.Unmarshal(text, meta); err != nil || meta.Format != stateFormat {
		return nil, fmt.Errorf("%s holds no state of a training: want a checkpoint that BackupAndRestore or ModelCheckpoint wrote", c.Name())
	}
	if meta.Epoch < 0 || meta.Batch < 0 || meta.Step < 0 {
		return nil, fmt.Errorf("%s is damaged: it holds epoch %d, batch %d, step %d of a training", c.Name(), meta.Epoch, meta.Batch, meta.Step)
	}
	return meta, nil
}

// match returns the tensors of checkpoint c that hold the values of the group's variables, in their
// order. It compares names. Automatic names contain numbers that depend on the layers made before
// in the process: if the names differ only in such numbers, it matches tensors and variables in
// order. Anything else is an error.
func (g stateGroup) match(c *checkpoint.Checkpoint) ([]*checkpoint.Stored, error) {
	var there []string
	for _, name := range c.Names() {
		if strings.HasPrefix(name, g.prefix) {
			there = append(there, name)
		}
	}
	names := g.names
	if !sameNames(names, there) {
		if !slices.EqualFunc(names, there, func(a, b string) bool { return uncounted(a) == uncounted(b) }) {
			return nil, fmt.Errorf("%s is of another model or of one compiled otherwise: %s: use the model that it was made with, or another directory", c.Name(), difference(names, there))
		}
		names = there
	}
	out := make([]*checkpoint.Stored, len(names))
	for i, name := range names {
		s, err := c.Tensor(name)
		if err != nil {
			return nil, err
		}
		if v := g.variables[i]; !s.Type().Equal(v.Type()) {
			return nil, fmt.Errorf("%s is of another model: %s is %s there, want %s", c.Name(), name, s.Type(), v.Type())
		}
		out[i] = s
	}
	return out, nil
}

// restoreGroups restores the values of the variables of groups from c; each device of client reads
// its shards. If the checkpoint does not match the variables, it returns an error and changes
// nothing. An error of reading may leave some changed.
func restoreGroups(client *runtime.Client, c *checkpoint.Checkpoint, groups []stateGroup) error {
	stored := make([][]*checkpoint.Stored, len(groups))
	for i, g := range groups {
		var err error
		if stored[i], err = g.match(c); err != nil {
			return err
		}
	}
	for i, g := range groups {
		for k, v := range g.variables {
			if err := v.Restore(client, stored[i][k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// RestoreVariables reads the values of variables from a file onto the devices of client. The names
// of the tensors in the file are the paths of the variables. If the names differ only in the
// numbers of automatic names, such as dense_1, it matches tensors and variables in order. If the
// file does not fit, it returns an error and changes nothing.
func RestoreVariables(client *runtime.Client, c *checkpoint.Checkpoint, vs []*variable.Variable) error {
	return restoreGroups(client, c, []stateGroup{newStateGroup("", vs)})
}

// LoadCheckpoint sets the model's variables to the values in the checkpoint of a training, and the
// optimizer's variables if the model is compiled. The mesh may differ from the training's: each
// device reads its shards only. Use it to evaluate a model, or to train it on other data; to resume
// the training itself use callbacks.BackupAndRestore. If the model is not built, or if the
// checkpoint does not fit, it returns an error and changes no values.
func (m *Model) LoadCheckpoint(ctx context.Context, c *checkpoint.Checkpoint) error {
	if err := m.loadCheckpoint(ctx, c); err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

func (m *Model) loadCheckpoint(ctx context.Context, c *checkpoint.Checkpoint) error {
	if _, err := readMetadata(c); err != nil {
		return err
	}
	if !m.built() {
		return fmt.Errorf("%s cannot be loaded, because the model is not built: call Build, or train it", c.Name())
	}
	groups := []stateGroup{newStateGroup(modelGroup, m.Variables())}
	if m.compiled != nil {
		if err := m.BuildOptimizer(); err != nil {
			return err
		}
		groups = append(groups, newStateGroup(optimizerGroup, m.compiled.optimizer.Variables()))
	}
	client, err := m.Client(ctx)
	if err != nil {
		return err
	}
	return restoreGroups(client, c, groups)
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

var count = regexp.MustCompile(`_\d+(/|_|$)`)

// uncounted returns a variable's path without the numbers in the names of layers: dense_1/kernel
// becomes dense/kernel.
func uncounted(name string) string {
	for {
		shorter := count.ReplaceAllString(name, "$1")
		if shorter == name {
			return name
		}
		name = shorter
	}
}

// difference describes, for an error, the first name that is in only one of the lists want and got.
func difference(want, got []string) string {
	for _, pair := range []struct {
		a, b []string
		text string
	}{{want, got, "it lacks"}, {got, want, "the model lacks its"}} {
		for _, name := range pair.a {
			if !slices.Contains(pair.b, name) {
				return fmt.Sprintf("%s %s (it has %d variables of that group, want %d)", pair.text, name, len(got), len(want))
			}
		}
	}
	return fmt.Sprintf("its variables %s differ from %s", strings.Join(got, ", "), strings.Join(want, ", "))
}
