package hardware

// This file defines which tori TPUs can form, and how their chips are joined.

import (
	"fmt"
	"slices"
	"strings"
)

// Torus describes the tori that a kind of TPU can form. Each chip is joined to its neighbours along
// the axes.
type Torus struct {
	Axes  int     // number of axes: 2 or 3
	Sizes [][]int // the small shapes; all shapes if Multiple is 0
	// Multiple, if it is not 0, also allows larger shapes, in which each size is a multiple of it,
	// and at least as large as the size before.
	Multiple int
	Chips    int // the largest number of chips
	// Ring is the size that an axis must have for its ends to be joined. If it is 0, the ends of
	// all axes are joined in a shape whose sizes are all multiples of Multiple.
	Ring int
}

// check returns an error if chips of kind c cannot form a torus of the given shape, or if its sizes
// are in another order than shapes are written in.
func (t *Torus) check(c *Chip, shape []int) error {
	if len(shape) != t.Axes {
		return fmt.Errorf("got %d sizes, a torus of %s has %d axes: want %s", len(shape), c.Name, t.Axes, t.sizes(c))
	}
	ordered := slices.Sorted(slices.Values(shape)) // shapes are written in this order
	for _, s := range t.Sizes {
		if slices.Equal(ordered, slices.Sorted(slices.Values(s))) {
			ordered = s
		}
	}
	known := slices.ContainsFunc(t.Sizes, func(s []int) bool { return slices.Equal(s, ordered) })
	switch {
	case !known && !(t.cubes(ordered) && product(ordered) <= t.Chips):
		return fmt.Errorf("there is no such torus: want %s", t.sizes(c))
	case !slices.Equal(ordered, shape):
		return fmt.Errorf("there is no such torus: did you mean %s?", Target{c, ordered})
	}
	return nil
}

// sizes lists the allowed shapes as a text, for errors; c is the chip.
func (t *Torus) sizes(c *Chip) string {
	var all []string
	for _, s := range t.Sizes {
		all = append(all, sizesText(s))
	}
	text := "one of " + strings.Join(all, ", ")
	if t.Multiple > 0 {
		text += fmt.Sprintf(", or three multiples of %d, the smallest first, of at most %d chips together", t.Multiple, t.Chips)
	}
	return text
}

// cubes reports whether all sizes of the shape are multiples of Multiple. It is false if Multiple
// is 0.
func (t *Torus) cubes(shape []int) bool {
	return t.Multiple > 0 && !slices.ContainsFunc(shape, func(n int) bool { return n%t.Multiple != 0 })
}

// rings returns, for each axis of the shape, whether its ends are joined.
func (t *Torus) rings(shape []int) []bool {
	out := make([]bool, len(shape))
	for i, n := range shape {
		out[i] = n == t.Ring || t.Ring == 0 && t.cubes(shape)
	}
	return out
}

// Level is one level of the links between the devices of a target: the chiplets of a chip, the axes
// of a torus, the GPUs of a host, or hosts.
type Level struct {
	Link Link
	// Sizes are the sizes of the level's axes: two or three for a torus, and otherwise one. Ids of
	// devices count along the nearer levels first, and within a level along the first axis first.
	Sizes []int
	// Torus says that each device is joined only to its neighbours along the axes. Otherwise a
	// switch joins all of them. Rings says for each axis of a torus whether its ends are joined.
	Torus bool
	Rings []bool
}

// Levels returns the levels of t, from the nearest to the farthest.
func (t Target) Levels() []Level {
	if torus := t.Chip.Torus; torus != nil {
		level := Level{Link: t.Chip.Links[len(t.Chip.Links)-1], Sizes: t.Shape, Torus: true, Rings: torus.rings(t.Shape)}
		if n := t.Chip.devicesPerChip(); n > 1 {
			return []Level{{Link: t.Chip.Links[0], Sizes: []int{n}}, level}
		}
		return []Level{level}
	}
	var out []Level
	for i, n := range slices.Backward(t.Shape) {
		out = append(out, Level{Link: t.Chip.Links[min(len(t.Shape)-1-i, len(t.Chip.Links)-1)], Sizes: []int{n}})
	}
	return out
}
