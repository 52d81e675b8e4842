package training

// This file defines Program.

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/checkpoint"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/gomlx/gomlx/ui/commandline"

	_ "github.com/gospmd/gospmd/gomlxbackend"
)

// Program is a model with its data, its loss and its hyperparameters, which GoMLX's trainer trains.
type Program struct {
	Name    string
	Store   func() *model.Store // with the default hyperparameters
	Dataset func(backend compute.Backend, store *model.Store) (train.Dataset, error)
	Model   func(scope *model.Scope, spec any, inputs []*graph.Node) []*graph.Node
	Loss    train.LossFn
	Metric  func() metric.Interface // a metric of predictions; nil: only the loss
}

// ParamSteps is the hyperparameter with the total number of training steps, 1000 if it is not set.
const ParamSteps = "train_steps"

// NewLoop returns the loop of a training of the program on the backend, with the variables in
// store. The hyperparameters in store choose the optimizer. The program's metric is one of the
// training and of the evaluation.
func (p Program) NewLoop(backend compute.Backend, store *model.Store) *train.Loop {
	metrics := func() []metric.Interface {
		if p.Metric == nil {
			return nil
		}
		return []metric.Interface{p.Metric()}
	}
	trainer := train.NewTrainer(backend, store, p.Model, p.Loss, optimizer.FromStore(store), metrics(), metrics())
	return train.NewLoop(trainer)
}

// Train trains up to step train_steps, a hyperparameter (1000 if store lacks it), and prints the
// metrics of ten batches at the end. Unless dir is empty, it starts from the checkpoint that it
// finds in that directory, and saves one there every 100 steps and at the end; the latest three
// stay.
func (p Program) Train(backend compute.Backend, store *model.Store, dir string) error {
	var saved *checkpoint.Handler
	if dir != "" {
		var err error
		if saved, err = checkpoint.Build(store).Dir(dir).Keep(3).ExcludeParams(ParamSteps).Done(); err != nil {
			return err
		}
	}
	ds, err := p.Dataset(backend, store)
	if err != nil {
		return err
	}
	loop := p.NewLoop(backend, store)
	commandline.AttachProgressBar(loop)
	if saved != nil {
		train.EveryNSteps(loop, 100, "checkpoint", 100, saved.SaveOnStepFn)
	}
	if _, err := loop.RunToGlobalStep(ds, model.GetRootParamOr(store, ParamSteps, 1000)); err != nil {
		return err
	}
	if saved != nil {
		if err := saved.Save(); err != nil {
			return err
		}
	}
	return commandline.ReportEval(loop.Trainer, dataset.Take(ds, 10))
}

// Main is the main function of the program's command: it parses the flags -set (hyperparameters)
// and -checkpoint (a directory) and trains. It ends the process with status 1 if there is an error,
// which it prints.
func (p Program) Main() {
	store := p.Store()
	settings := commandline.CreateSettingsFlag(store, "set")
	dir := flag.String("checkpoint", "", "directory of checkpoints; a training that was interrupted goes on from there")
	flag.Parse()
	if err := p.run(store, *settings, *dir); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
}

func (p Program) run(store *model.Store, settings, dir string) error {
	if _, err := commandline.ParseSettings(store, settings); err != nil {
		return err
	}
	backend, err := compute.New()
	if err != nil {
		return err
	}
	defer backend.Finalize()
	fmt.Printf("%s\n%s\n", backend.Description(), commandline.SprintSettings(store))
	thrown := exceptions.TryCatch[error](func() { err = p.Train(backend, store, dir) })
	return errors.Join(err, thrown)
}
