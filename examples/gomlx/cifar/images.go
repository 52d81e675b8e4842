package cifar

// This file invents the images.

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
)

const (
	size       = 32
	channels   = 3
	numClasses = 10
)

// images returns n images, [n, size, size, channels] of float32, and their classes, [n, 1] of
// int32. Each class has its own pattern of waves; noise is added to it.
func images(n int) (pixels, classes *tensors.Tensor) {
	random := rand.New(rand.NewPCG(3, 4))
	flat, of := make([]float32, 0, n*size*size*channels), make([]int32, n)
	for i := range of {
		of[i] = int32(random.IntN(numClasses))
		angle, phase := 2*math.Pi*float64(of[i])/numClasses, random.Float64()
		for y := range size {
			for x := range size {
				wave := math.Sin((math.Cos(angle)*float64(x)+math.Sin(angle)*float64(y))/2 + phase)
				for range channels {
					flat = append(flat, float32(wave+random.NormFloat64()/2))
				}
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(flat, n, size, size, channels), tensors.FromFlatDataAndDimensions(of, n, 1)
}
