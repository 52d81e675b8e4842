package random

// This file makes the random words of any part of a tensor on the host.

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gospmd/gospmd/layout"
)

// chunk is how many words are made before they are turned into numbers: few
// enough for the first-level cache.
const chunk = 512

// FillBits writes the words of the elements of a tensor of shape global that
// lie in ranges, row-major, into dst: []uint8, []uint16, []uint32 or []uint64.
// It equals jax.random.bits.
func (k Key) FillBits(dst any, global []int, ranges []layout.Range) error {
	runs, err := newRuns("FillBits", dst, global, ranges)
	if err != nil {
		return err
	}
	switch d := dst.(type) {
	case []uint8:
		walk(runs, k.schedule().words32, func(at int, w []uint32) { narrow(d[at:], w) })
	case []uint16:
		walk(runs, k.schedule().words32, func(at int, w []uint32) { narrow(d[at:], w) })
	case []uint32:
		walk(runs, k.schedule().words32, func(at int, w []uint32) { copy(d[at:], w) })
	case []uint64:
		walk(runs, k.schedule().words64, func(at int, w []uint64) { copy(d[at:], w) })
	default:
		return fmt.Errorf("random: FillBits: cannot fill a %T: want []uint8, []uint16, []uint32 or []uint64", dst)
	}
	return nil
}

func narrow[T uint8 | uint16](dst []T, words []uint32) {
	for i, w := range words {
		dst[i] = T(w)
	}
}

// runs walks the elements of a part of a tensor in row-major order as runs of
// consecutive global indices.
type runs struct {
	start  uint64   // global index of the first element
	length int      // elements in every run
	counts []int    // runs along each outer dimension, major first
	steps  []uint64 // global indices from one run to the next along it
}

// newRuns checks what every Fill function is given; op names it in errors.
func newRuns(op string, dst any, global []int, ranges []layout.Range) (*runs, error) {
	if len(ranges) != len(global) {
		return nil, fmt.Errorf("random: %s: got %d ranges for a tensor of rank %d (shape %v): want one range per dimension",
			op, len(ranges), len(global), global)
	}
	size := 1
	for i, r := range ranges {
		if r.Start < 0 || r.Limit < r.Start || r.Limit > global[i] {
			return nil, fmt.Errorf("random: %s: dimension %d: range [%d, %d) is not within [0, %d) (shape %v)",
				op, i, r.Start, r.Limit, global[i], global)
		}
		size *= r.Len()
	}
	if v := reflect.ValueOf(dst); v.Kind() != reflect.Slice || v.Len() != size {
		return nil, fmt.Errorf("random: %s: got a destination of type %T and length %d: want a slice of the %d elements in %v",
			op, dst, lengthOf(v), size, ranges)
	}

	r := &runs{length: 1}
	whole := true // every dimension after this one is taken whole
	stride := uint64(1)
	for i := len(global) - 1; i >= 0; i-- {
		n := ranges[i].Len()
		r.start += uint64(ranges[i].Start) * stride
		if whole {
			r.length *= n
			whole = n == global[i]
		} else {
			r.counts = slices.Insert(r.counts, 0, n)
			r.steps = slices.Insert(r.steps, 0, stride)
		}
		stride *= uint64(global[i])
	}
	if size == 0 {
		return &runs{}, nil
	}
	return r, nil
}

func lengthOf(v reflect.Value) int {
	if v.Kind() == reflect.Slice {
		return v.Len()
	}
	return 0
}

// walk calls visit with the words of chunk after chunk, which fill makes from
// the global index of the first; at is that one's position in the destination.
func walk[W any](r *runs, fill func(words []W, index uint64), visit func(at int, words []W)) {
	var buf [chunk]W
	n, at := 0, 0 // words in buf; position of the first of them
	position := make([]int, len(r.counts))
	start := r.start
	for r.length > 0 {
		for done := 0; done < r.length; {
			m := min(chunk-n, r.length-done)
			fill(buf[n:n+m], start+uint64(done))
			n, done = n+m, done+m
			if n == chunk {
				visit(at, buf[:n])
				n, at = 0, at+n
			}
		}
		i := len(position) - 1
		for ; i >= 0; i-- { // step to the next run
			position[i]++
			start += r.steps[i]
			if position[i] < r.counts[i] {
				break
			}
			start -= uint64(r.counts[i]) * r.steps[i]
			position[i] = 0
		}
		if i < 0 {
			break
		}
	}
	visit(at, buf[:n])
}

// words32 makes the 32-bit words of consecutive elements.
func (s *schedule) words32(words []uint32, index uint64) {
	for i := range words {
		a, b := s.block(uint32(index>>32), uint32(index))
		words[i] = a ^ b
		index++
	}
}

// words64 makes the 64-bit words of consecutive elements.
func (s *schedule) words64(words []uint64, index uint64) {
	for i := range words {
		a, b := s.block(uint32(index>>32), uint32(index))
		words[i] = uint64(a)<<32 | uint64(b)
		index++
	}
}
