package keras

// This file runs a model in several processes. It finds out whether the mesh has devices of other
// processes, and which process writes files. It compares what the processes are about to run: if
// they differ, the run fails before it starts, with an error that names the processes.

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// Job returns the client of the model if its mesh has devices of other processes, else nil. All
// processes of the client must call the methods of such a model together, in the same order. The
// error is that of opening the client.
func (m *Model) Job(ctx context.Context) (*runtime.Client, error) {
	own := m.compiled != nil && m.compiled.client != nil
	if m.dist == nil || !own && distribution.NumProcesses() == 1 {
		return nil, nil
	}
	c, err := m.Client(ctx)
	if err != nil || !spans(c, m.mesh()) {
		return nil, err
	}
	return c, nil
}

// spans reports whether the mesh dm has devices of processes other than that of client c. It is
// false if dm is nil, for a model on one device.
func spans(c *runtime.Client, dm *mesh.DeviceMesh) bool {
	all := c.Devices()
	return dm != nil && slices.ContainsFunc(dm.Devices(), func(id int) bool {
		return id < len(all) && all[id].Process != c.ProcessIndex()
	})
}

// isChief reports whether this process writes what a job writes once, files and progress: the
// process is number 0, or the model runs on its devices alone.
func (m *Model) isChief(c *runtime.Client) bool { return c.ProcessIndex() == 0 || !spans(c, m.mesh()) }

// IsChief reports whether this process writes the files and the progress bar of the training. A
// training in several processes has one chief. Callbacks are called in all processes.
func (t *Training) IsChief() bool { return t.model.isChief(t.client) }

// Job returns the client if the training runs in several processes, else nil.
func (t *Training) Job() *runtime.Client { return t.model.jobOn(t.client) }

// jobOn returns c if the model's mesh has devices of other processes than c's, and otherwise nil.
func (m *Model) jobOn(c *runtime.Client) *runtime.Client {
	if spans(c, m.mesh()) {
		return c
	}
	return nil
}

// fact is a property of a run, such as a batch size, that must be the same in all processes, and
// its value in this process.
type fact struct {
	What  string // ends "process 1 has"
	Value string
}

// facts are the properties of a run in one process. difference compares them in this order.
type facts []fact

func (f *facts) add(what string, value any) { *f = append(*f, fact{what, fmt.Sprint(value)}) }

// callFacts returns the properties of a call of Fit, Evaluate or Predict, named by call, that must
// be equal in all processes: distribution, layout map, options, model and data.
func (m *Model) callFacts(call string, c runConfig, ds data.Dataset, feed feed) facts {
	var f facts
	f.add("the call of", call)
	f.add("the distribution", describe(m.dist))
	if d, ok := m.dist.(*distribution.ModelParallel); ok {
		var rules []string
		for key, l := range d.LayoutMap().All() {
			rules = append(rules, fmt.Sprintf("%s: %s", key, l))
		}
		f.add("the layout map", "{"+strings.Join(rules, ", ")+"}")
	}
	f.addModel(m)
	f.addData("", ds, feed)
	if call == "Fit" {
		// else weights may be made from other seeds, and parts of the data shuffled with them
		if !m.compiled.broadcast && feed.shards == 0 {
			f.add("the random seed", random.SeedText())
		}
		f.add("epochs", fmt.Sprintf("%d to %d", c.initialEpoch, c.epochs))
		f.add("steps per epoch", c.stepsPerEpoch)
		f.add("validation after every", fmt.Sprintf("%d epochs, of %d steps", c.validationFreq, c.validationSteps))
		f.addData("validation ", c.validation, feed)
		for _, cb := range c.callbacks {
			if _, ok := cb.(Checkpointer); ok {
				f.add("the callback", kindOf(cb))
			}
		}
	} else {
		f.add("steps", c.steps)
	}
	return f
}

// addModel adds the model's variables, lookups, losses, metrics and optimizer to the facts, which
// must be equal in all processes of a job.
func (f *facts) addModel(m *Model) {
	if m.built() {
		for _, v := range m.Variables() {
			f.add("the variable", fmt.Sprintf("%s %s (trainable: %t)", v.Path(), v.Type(), v.Trainable()))
		}
	}
	for _, n := range m.host { // each process looks up by itself
		if l, ok := n.Layer.(layers.Configured); ok {
			config, _ := l.Config()
			text, _ := json.Marshal(config) // of plain values
			f.add("options and vocabulary of the lookup", fmt.Sprintf("%s, %d bytes with checksum %x", n.Name(), len(text), crc32.ChecksumIEEE(text)))
		}
	}
	for _, l := range m.Losses() {
		name := "none"
		if l != nil {
			name = l.Name()
		}
		f.add("the loss", name)
	}
	f.add("the metrics", strings.Join(m.logNames(), ", "))
	class, config := m.compiled.optimizer.Config()
	text, err := json.Marshal(config)
	if err != nil { // a schedule of the user's own, for instance
		text = []byte(err.Error())
	}
	f.add("the optimizer", class+" "+string(text))
}

// addData adds the batch size, the number of batches and the seed of a dataset to the facts, whose
// names begin with prefix, as far as they are known. A nil dataset is the fact "none". feed says
// which rows this process has.
func (f *facts) addData(prefix string, ds data.Dataset, feed feed) {
	if ds == nil {
		f.add(prefix+"data", "none")
		return
	}
	if p, ok := ds.(interface{ BatchSize() int }); ok {
		f.add(prefix+"batch size", feed.rows(p.BatchSize()))
	}
	f.add(prefix+"batches in the dataset:", ds.Cardinality())
	if p, ok := ds.(data.Positioned); ok && feed.shards == 0 {
		f.add(prefix+"shuffle seed", p.Position().Seed)
	}
}

// difference returns an error that says in which property process rank, whose facts are others,
// differs first from process 0, whose facts are f; nil if there is none.
func (f facts) difference(rank int, others facts) error {
	for i := range max(len(f), len(others)) {
		switch {
		case i >= len(others):
			return fmt.Errorf("process 0 has %s %s, process %d has not", f[i].What, f[i].Value, rank)
		case i >= len(f):
			return fmt.Errorf("process %d has %s %s, process 0 has not", rank, others[i].What, others[i].Value)
		case f[i] != others[i]:
			return fmt.Errorf("process %d has %s %s, process 0 has %s %s", rank, others[i].What, others[i].Value, f[i].What, f[i].Value)
		}
	}
	return nil
}

// compare waits for all processes of the job, and returns an error if their facts differ. It names
// the first difference of the lowest process that differs from process 0. failed is an error of
// this process, or nil: all processes then fail with it.
func compare(ctx context.Context, job *runtime.Client, f facts, failed error) error {
	text, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("BUG: %w", err)
	}
	if err := job.Barrier(ctx, "a run of a model"); err != nil {
		return err
	}
	values, err := agree.On(ctx, job, "run of a model", text, failed)
	if err != nil {
		return err
	}
	all := make([]facts, len(values))
	for rank, text := range values {
		if err := json.Unmarshal(text, &all[rank]); err != nil {
			return fmt.Errorf("process %d sent %q: %w: want the same program in all processes", rank, text, err)
		}
		if err := all[0].difference(rank, all[rank]); err != nil {
			return fmt.Errorf("%w: want the same in all processes", err)
		}
	}
	return nil
}
