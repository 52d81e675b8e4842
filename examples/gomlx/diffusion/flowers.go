package diffusion

// This file invents the flowers.

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"

	"github.com/gospmd/gospmd/examples/gomlx/training"
)

const colours = 3

func newDataset(store *model.Store) train.Dataset {
	n, size := model.GetRootParamOr(store, "batch_size", 0), model.GetRootParamOr(store, "image_size", 0)
	return training.Stream{Title: "flowers", Make: func(random *rand.Rand) (inputs, labels []*tensors.Tensor) {
		flat := make([]float32, 0, n*size*size*colours)
		for range n {
			flat = flower(flat, random, size)
		}
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(flat, n, size, size, colours)}, nil
	}}
}

// flower appends the pixels of an image to flat, size rows of size pixels with three colours each,
// and returns it. Inside of a random rose curve the image has one colour, outside another colour.
// Numbers are from -1 to 1.
func flower(flat []float32, random *rand.Rand, size int) []float32 {
	petals, turn := float64(3+random.IntN(5)), random.Float64()
	var in, out [colours]float32
	for i := range in {
		in[i], out[i] = random.Float32()*2-1, random.Float32()*2-1
	}
	for y := range size {
		for x := range size {
			dx, dy := 2*float64(x)/float64(size)-1, 2*float64(y)/float64(size)-1
			colour := out
			if math.Hypot(dx, dy) < 0.6+0.4*math.Cos(petals*(math.Atan2(dy, dx)+turn)) {
				colour = in
			}
			flat = append(flat, colour[:]...)
		}
	}
	return flat
}
