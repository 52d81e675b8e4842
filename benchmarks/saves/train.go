package main

// This file trains a model, and saves it at the beginning of periods.

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// mode says how a period saves: not at all, behind the training, or synchronously.
type mode int

const (
	without mode = iota
	behind
	synchronous
)

var modes = []mode{without, behind, synchronous}

// String returns the mode's name.
func (m mode) String() string {
	return [...]string{"without", "behind the training", "synchronous"}[m]
}

// train returns the periods of each mode, in order of the rounds, and the size of a checkpoint.
func train(ctx context.Context, o options) (map[mode][]period, int64, error) {
	m, err := model(ctx, o)
	if err != nil {
		return nil, 0, err
	}
	x, err := random.Normal([]int{o.batch, o.width}, random.Seed(1))
	if err != nil {
		return nil, 0, err
	}
	backup := func(m mode) *callbacks.BackupAndRestore {
		return &callbacks.BackupAndRestore{BackupDir: filepath.Join(o.dir, m.String()), SaveFreq: o.every,
			Synchronous: m == synchronous, Logger: slog.New(slog.DiscardHandler)}
	}
	p := &periods{options: o, backups: map[mode]*callbacks.BackupAndRestore{behind: backup(behind), synchronous: backup(synchronous)}, done: make(map[mode][]period)}
	// One period comes before the first round, in which the first step is compiled.
	_, err = m.Fit(ctx, data.FromTensorSlices(x, x).Batch(o.batch).Repeat(), nil, keras.Verbose(0),
		keras.StepsPerEpoch((p.count()+1)*o.every), keras.Callbacks(p))
	return p.done, p.size, err
}

// model returns a compiled perceptron of o.layers layers with o.width units, whose checkpoint has
// little beside its weights. With a mesh, which has the axes data and model, the axis model splits
// the kernels; without one it is on one device.
func model(ctx context.Context, o options) (m *keras.Model, err error) {
	devices := 1
	var d distribution.Distribution
	if o.mesh != "" {
		dm, err := mesh.Parse(o.mesh)
		if err != nil {
			return nil, err
		}
		devices = len(dm.Devices())
		layouts := distribution.NewLayoutMap(dm)
		if err := layouts.Set(".*kernel", distribution.None, "model"); err != nil {
			return nil, err
		}
		if d, err = distribution.NewModelParallel(layouts, "data"); err != nil {
			return nil, err
		}
	}
	client, err := runtime.Open(ctx, runtime.Options{Devices: devices})
	if err != nil {
		return nil, err
	}
	err = distribution.Scope(d, func() (err error) {
		x := keras.Input([]int{o.width})
		y := x
		for range o.layers {
			y = y.Apply(layers.Dense(o.width, layers.Activation("relu")))
		}
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		return m.Compile(keras.Optimizer(optimizers.SGD()), keras.Loss("mse"), keras.Client(client))
	})
	return m, err
}

// periods is the callback that measures how long periods of training take, in several modes of
// backups.
type periods struct {
	keras.BaseCallback
	options
	backups map[mode]*callbacks.BackupAndRestore
	done    map[mode][]period
	size    int64 // of a checkpoint, in bytes

	number int // of periods that have begun
	clock  *worker.Clock
	now    period
}

// count returns the number of periods. The first one of each mode is not measured: the memory of
// copies is made in it.
func (p *periods) count() int { return len(modes) * (p.rounds + 1) }

// mode returns the mode of a period, by its number. Each round has each mode once, in another
// order.
func (p *periods) mode(number int) mode {
	round, turn := number/len(modes), number%len(modes)
	return modes[(round+turn)%len(modes)]
}

// OnTrainBegin opens the directories of the backups of all modes.
func (p *periods) OnTrainBegin(ctx context.Context, m *keras.Model) error {
	for _, mode := range modes {
		if b := p.backups[mode]; b != nil {
			if err := b.OnTrainBegin(ctx, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// OnTrainBatchEnd waits for the last step of a period, so that the period's time is complete. After
// other steps it does nothing.
func (p *periods) OnTrainBatchEnd(ctx context.Context, batch int, logs *keras.BatchLogs) error {
	if (batch+1)%p.every > 0 {
		return nil
	}
	_, err := logs.Get(ctx)
	return err
}

// Checkpoint implements the callback that Fit calls after each step. Every p.every steps it ends a
// period, records its times, and begins the next one with the save that the period measures. After
// the last period it does nothing.
func (p *periods) Checkpoint(ctx context.Context, t *keras.Training) error {
	step := t.Progress().Step
	if step%p.every > 0 || t.Progress().Batch == 0 { // Batch is 0 once more at the end of the epoch
		return nil
	}
	if p.number > 0 {
		if err := p.end(ctx, step-p.every); err != nil {
			return err
		}
	}
	if p.number == p.count() {
		return nil
	}
	p.now, p.clock = period{}, worker.StartClock()
	if b := p.backups[p.mode(p.number)]; b != nil {
		start := time.Now()
		if err := b.Checkpoint(ctx, t); err != nil {
			return err
		}
		p.now.waited = time.Since(start).Seconds()
	}
	p.number++
	return nil
}

// saveLimit is how long a save may take after its period.
const saveLimit = 5 * time.Minute

// end ends the period that began at a step, and notes its times; the first period of each mode is
// not kept. If the mode of the period makes backups, it first waits until the file of the step is
// complete. A save that takes longer than saveLimit is an error, and so is the end of ctx before.
func (p *periods) end(ctx context.Context, step int) error {
	mode := p.mode(p.number - 1)
	if b := p.backups[mode]; b != nil {
		s, err := checkpoint.NewStore(b.BackupDir, 0)
		if err != nil {
			return err
		}
		info, err := os.Stat(s.Path(step))
		for start := time.Now(); err != nil; info, err = os.Stat(s.Path(step)) {
			if ctx.Err() != nil || time.Since(start) > saveLimit {
				return fmt.Errorf("the save of step %d is not complete: %w", step, err)
			}
			time.Sleep(time.Millisecond)
		}
		p.size = info.Size()
	}
	p.now.time, p.now.cpu = p.clock.Part()
	if p.number > len(modes) {
		p.done[mode] = append(p.done[mode], p.now)
	}
	return nil
}

// Close closes the backups of all modes, and waits for files that are being written.
func (p *periods) Close() error {
	for _, mode := range modes {
		if b := p.backups[mode]; b != nil {
			if err := b.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}
