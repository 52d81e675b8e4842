package layers

// This file defines the common parts of layers that prepare data: the data that they adapt to, rows
// of tokens, hashes and encodings.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dchest/siphash"
	farm "github.com/dgryski/go-farm"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// visitBatches calls visit with each batch that an Adapt was given. In place of a dataset it visits
// the only input of each of its batches, and leaves the dataset at the position that it had. A
// dataset without an end, and one with several inputs, are errors. It stops at the first error, and
// returns it with the number of the batch.
func visitBatches(batches []any, visit func(batch any) error) error {
	for i, batch := range batches {
		ds, ok := batch.(data.Dataset)
		err := error(nil)
		if ok {
			err = eachBatch(ds, visit)
		} else {
			err = visit(batch)
		}
		if err != nil {
			return fmt.Errorf("batch %d: %w", i, err)
		}
	}
	return nil
}

func eachBatch(ds data.Dataset, visit func(batch any) error) error {
	if ds.Cardinality() == data.Infinite {
		return fmt.Errorf("the dataset has no end: give it one by Take, such as ds.Take(100)")
	}
	if p, ok := ds.(data.Positioned); ok {
		at := p.Position()
		defer func() { _ = p.Seek(at) }() // a position that it had
	}
	n := 0
	for b, err := range ds.Batches(context.Background()) {
		if err == nil && len(b.X) != 1 {
			err = fmt.Errorf("it has %d inputs, want the one that the layer takes: pick it by Map", len(b.X))
		}
		if err == nil {
			err = visit(b.X[0])
		}
		if err != nil {
			return fmt.Errorf("batch %d of the dataset: %w", n, err)
		}
		n++
	}
	return nil
}

// numbersOf returns the numbers of each argument of Adapt, row by row in one slice. An argument
// that is a dataset is read to its end. Arguments without numbers are errors.
func numbersOf(batches []any) ([][]float64, error) {
	var out [][]float64
	for i, batch := range batches {
		var all []float64
		err := visitBatches([]any{batch}, func(batch any) error {
			values, _, err := hostNumbers(batch)
			all = append(all, values...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		out = append(out, all)
	}
	return out, nil
}

// tokensOf converts v, a vocabulary given as a Go slice or read from JSON, to a slice of tokens.
// Nested lists, and elements that are not tokens, are errors.
func tokensOf[T string | int64](v any) ([]T, error) {
	rows, rank, err := rowsOf[T](v)
	if err == nil && rank != 1 {
		err = fmt.Errorf("got lists of tokens, want a list of them")
	}
	var out []T
	for _, row := range rows {
		out = append(out, row...)
	}
	return out, err
}

// rowsOf returns the rows of values, which is a slice, a slice of slices or a tensor, and the
// number of its dimensions. A flat slice has rank 1, and each element is a row. Other values, and
// elements of another type, are errors.
func rowsOf[T string | int64](values any) (rows [][]T, rank int, err error) {
	switch v := values.(type) {
	case *tensors.Tensor:
		return rowsOfTensor[T](v)
	case [][]T:
		return v, 2, nil
	case [][]int:
		for _, row := range v {
			r, _, err := rowsOf[T](row)
			if err != nil {
				return nil, 0, err
			}
			rows = append(rows, slices.Concat(r...))
		}
		return rows, 2, nil
	case []T:
		for _, t := range v {
			rows = append(rows, []T{t})
		}
		return rows, 1, nil
	}
	var list []any
	switch v := values.(type) {
	case []any:
		list = v
	case []int:
		for _, n := range v {
			list = append(list, int64(n))
		}
	default:
		return nil, 0, fmt.Errorf("got a %T, want a slice of %Ts, or of slices of them", values, *new(T))
	}
	for _, x := range list {
		if inner, ok := x.([]any); ok {
			r, _, err := rowsOf[T](inner)
			if err != nil {
				return nil, 0, err
			}
			rows, rank = append(rows, slices.Concat(r...)), 2
			continue
		}
		if n, ok := x.(float64); ok && n == math.Trunc(n) {
			x = int64(n)
		}
		t, ok := x.(T)
		if !ok || rank == 2 {
			return nil, 0, fmt.Errorf("got %v, want a %T", x, t)
		}
		rows = append(rows, []T{t})
	}
	return rows, max(rank, 1), nil
}

// rowsOfTensor returns the rows of a tensor of strings or integers: those of a matrix, or of a
// vector its elements, one to a row. rank is that of the tensor, 1 or 2; other ranks and element
// types are errors.
func rowsOfTensor[T string | int64](t *tensors.Tensor) (rows [][]T, rank int, err error) {
	dims := data.Dims(t)
	if len(dims) < 1 || len(dims) > 2 {
		return nil, 0, fmt.Errorf("got a tensor of shape %v, want one or two dimensions", dims)
	}
	var flat []T
	switch to := any(&flat).(type) {
	case *[]string:
		*to, err = data.Texts(t)
	case *[]int64:
		*to, err = exactIntegers(t)
	}
	width := 1
	if len(dims) == 2 {
		width = dims[1]
	}
	for i := range dims[0] {
		if err == nil {
			rows = append(rows, flat[i*width:(i+1)*width])
		}
	}
	return rows, len(dims), err
}

// exactIntegers returns the elements of a tensor as integers, those of 64-bit types without
// rounding. Fractions are cut off. Texts are an error.
func exactIntegers(t *tensors.Tensor) (out []int64, err error) {
	if data.IsText(t) {
		return nil, fmt.Errorf("got texts, want integers")
	}
	exact := true
	err = t.ConstFlatData(func(flat any) {
		switch flat := flat.(type) {
		case []int64:
			out = slices.Clone(flat)
		case []uint64:
			for _, n := range flat {
				out = append(out, int64(n))
			}
		default:
			exact = false
		}
	})
	if err == nil && !exact {
		err = data.Numbers(t, func(_ int, v float64) bool {
			out = append(out, int64(v))
			return true
		})
	}
	return out, err
}

// inverseFrequency returns the inverse document frequency of a token, log(1 + documents/(1 +
// having)), rounded to float32. having is the number of documents with the token, documents the
// number of all.
func inverseFrequency(documents, having int) float64 {
	return float64(float32(math.Log(1 + float64(documents)/float64(1+having))))
}

// hashText returns TensorFlow's hash of a text: Google's FarmHash if salt is nil, else SipHash-2-4
// with salt, two numbers, as the key.
func hashText(text string, salt []int) uint64 {
	if salt == nil {
		return farm.Fingerprint64([]byte(text))
	}
	return siphash.Hash(uint64(salt[0]), uint64(salt[1]), []byte(text))
}

// crossHashes returns the hash of a combination of values, from the hashes of these, as
// tf.sparse.cross_hashed does.
func crossHashes(values []uint64) uint64 {
	const multiplier = 0xc6a4a7935bd1e995
	mix := func(x uint64) uint64 { return x ^ x>>47 }
	out := uint64(0xDECAFCAFFE)
	for _, v := range values {
		out ^= multiplier
		out ^= mix(v*multiplier) * multiplier
		out *= multiplier
		out = mix(mix(out) * multiplier)
	}
	return out
}

// encodeRows encodes rows of indices, of values with rank dimensions, 1 or 2, as a tensor. For mode
// "int" they become int64; with rank 1 each row has one index. "one_hot" makes a float32 vector of
// depth numbers of each index, and drops a dimension of 1. For both, rows of different lengths are
// an error. The other modes make one vector of each row or, with rank 1, one of all. Vectors leave
// out an index below 0 or beyond the depth.
func encodeRows(rows [][]int, rank int, mode string, depth int) (*tensors.Tensor, error) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	dims := []int{len(rows), width}[:rank]
	if mode == "int" || mode == "one_hot" {
		for i, row := range rows {
			if len(row) != width {
				return nil, fmt.Errorf("row %d has %d elements, another one %d: want equal rows for %q", i, len(row), width, mode)
			}
		}
	}
	flat := slices.Concat(rows...)
	if mode == "int" {
		numbers := make([]int64, len(flat))
		for i, n := range flat {
			numbers[i] = int64(n)
		}
		return tensors.FromFlatDataAndDimensions(numbers, dims...), nil
	}
	samples := rows
	switch {
	case mode == "one_hot":
		samples = nil
		for _, n := range flat {
			samples = append(samples, []int{n})
		}
		if rank == 2 && width == 1 {
			dims = dims[:1]
		}
	case rank == 1: // one sample
		samples, dims = [][]int{flat}, nil
	default:
		dims = dims[:1]
	}
	out := make([]float32, len(samples)*depth)
	for i, sample := range samples {
		for _, n := range sample {
			switch {
			case n < 0 || n >= depth:
			case mode == "count":
				out[i*depth+n]++
			default:
				out[i*depth+n] = 1
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(out, append(slices.Clone(dims), depth)...), nil
}

// lowerASCII returns a text with the letters of ASCII in lower case.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
