package utils

// This file splits datasets.

import (
	"fmt"
	"math"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/random"
)

// SplitDataset returns two parts of a dataset of a known number of elements:
// keras.utils.split_dataset. left and right are the sizes of the parts: a value below 1 is a share
// of the elements, and a value of at least 1 their number. One of them may be 0: then it is the
// rest. With Shuffled the elements are drawn at random, the same ones in each epoch. No element is
// in both parts. An unknown number of elements, two zeros, an empty part, and parts that are too
// large are errors. Options: Shuffled, Seed.
//
// It splits samples, or batches if ds has been batched: batch the parts.
func SplitDataset(ds *data.Pipeline, left, right float64, opts ...Option) (first, second *data.Pipeline, err error) {
	var c config
	if err := option.Apply("utils: SplitDataset", &c, opts, "Shuffled", "Seed"); err != nil {
		return nil, nil, err
	}
	if err := ds.Err(); err != nil {
		return nil, nil, fmt.Errorf("utils: SplitDataset: %w", err)
	}
	n := ds.Cardinality()
	if n < 0 || n == data.Infinite {
		return nil, nil, fmt.Errorf("utils: SplitDataset: the number of elements of %s is not known: split a dataset that tells it, such as one of tensors, or with data.Size", ds)
	}
	a, b, err := parts(left, right, n)
	if err != nil {
		return nil, nil, err
	}
	if c.shuffle {
		same := []data.Option{data.SameOrder()}
		if c.seed != nil {
			same = append(same, data.Seed(*c.seed))
		} else {
			same = append(same, data.Seed(random.DrawSeed())) // both parts have the same order
		}
		ds = ds.Shuffle(data.Full, same...)
	}
	first, second = ds.Take(a), ds.Skip(a).Take(b)
	if err := first.Err(); err != nil {
		return nil, nil, err
	}
	return first, second, second.Err()
}

// parts returns the numbers of elements of the two parts into which n elements are split. Each
// size, left and right, is a fraction of n or a whole number of elements; 0 stands for the rest.
// Two zeros, an empty part, and parts of more than n elements together are errors.
func parts(left, right float64, n int) (a, b int, err error) {
	count := func(size float64) (int, bool) {
		switch {
		case size > 0 && size < 1:
			return int(math.Round(size * float64(n))), true
		case size >= 0 && size <= float64(n) && size == math.Trunc(size):
			return int(size), true
		}
		return 0, false
	}
	a, okLeft := count(left)
	b, okRight := count(right)
	switch {
	case !okLeft || !okRight:
		err = fmt.Errorf("utils: SplitDataset: got the sizes %g and %g: want shares between 0 and 1, or whole numbers of at most %d elements", left, right, n)
	case left == 0 && right == 0:
		err = fmt.Errorf("utils: SplitDataset: got no size: give that of one part at least")
	case left == 0:
		a = n - b
	case right == 0:
		b = n - a
	}
	if err == nil && a+b > n {
		err = fmt.Errorf("utils: SplitDataset: got the sizes %g and %g, %d and %d elements: there are %d", left, right, a, b, n)
	}
	if err == nil && (a == 0 || b == 0) {
		err = fmt.Errorf("utils: SplitDataset: the sizes %g and %g of %d elements leave a part empty", left, right, n)
	}
	return a, b, err
}
