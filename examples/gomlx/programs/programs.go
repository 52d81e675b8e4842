// Package programs lists the GoMLX programs of this folder, for tests and benchmarks.
package programs

import (
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ui/commandline"

	"github.com/gospmd/gospmd/examples/gomlx/adult"
	"github.com/gospmd/gospmd/examples/gomlx/cifar"
	"github.com/gospmd/gospmd/examples/gomlx/diffusion"
	"github.com/gospmd/gospmd/examples/gomlx/gpt"
	"github.com/gospmd/gospmd/examples/gomlx/mag"
	"github.com/gospmd/gospmd/examples/gomlx/training"
)

// Program is a program of this folder. Its directory has its name, and layouts.txt there shards its
// variables.
type Program struct {
	training.Program
	Small string // hyperparameters of a size for tests, in which rounding differences do not grow
}

// All are all programs of this folder, with hyperparameters that make them small.
var All = []Program{
	{adult.Program, "people=500;batch_size=30;fnn_num_hidden_nodes=20"},
	{cifar.Program, "images=120;batch_size=30;filters=4;hidden=10;dtype=float64"},
	{gpt.Program, "layers=2;heads=4;features=16;vocabulary=40;length=10;batch_size=12"},
	{mag.Program, "papers=300;authors=100;venues=7;paper_features=12;state=12;batch_size=18;sampled_authors=3;sampled_papers=3;sampled_citations=3"},
	{diffusion.Program, "image_size=12;batch_size=12;channels=4;depth=1;embedding=8"},
}

// SmallStore returns a new store with the program's default hyperparameters, in which those of
// p.Small are set. A text in p.Small that is no setting is an error.
func (p Program) SmallStore() (*model.Store, error) {
	store := p.Store()
	_, err := commandline.ParseSettings(store, p.Small)
	return store, err
}
