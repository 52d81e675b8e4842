package hardware

// This file says which tori of TPUs exist, and how their chips are joined.

import (
	"fmt"
	"slices"
	"strings"
)

// Torus is how the chips of a TPU are joined: each to its neighbours along the axes.
type Torus struct {
	Axes  int     // 2 or 3
	Sizes [][]int // the small shapes, or all of them where Multiple is 0
	// Multiple, where it is not 0, allows larger shapes too: each size is a multiple
	// of it, and none is smaller than the one before.
	Multiple int
	Chips    int // the most
	// Ring is the size of axes whose ends are joined; 0: all axes of shapes whose sizes
	// are multiples of Multiple.
	Ring int
}

// check returns an error if there is no such torus of c.
func (t *Torus) check(c *Chip, shape []int) error {
	if len(shape) != t.Axes {
		return fmt.Errorf("got %d sizes, a torus of %s has %d axes: want %s", len(shape), c.Name, t.Axes, t.sizes(c))
	}
	ordered := slices.Sorted(slices.Values(shape)) // as it must be written
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

// sizes lists the shapes for errors.
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

// cubes reports whether all sizes are multiples of Multiple.
func (t *Torus) cubes(shape []int) bool {
	return t.Multiple > 0 && !slices.ContainsFunc(shape, func(n int) bool { return n%t.Multiple != 0 })
}

// rings says of each axis of a shape whether its ends are joined.
func (t *Torus) rings(shape []int) []bool {
	out := make([]bool, len(shape))
	for i, n := range shape {
		out[i] = n == t.Ring || t.Ring == 0 && t.cubes(shape)
	}
	return out
}

// Level is a part of how the devices of a target are joined, from the nearest to the
// farthest: the chiplets of a chip, the axes of a torus, the GPUs of a host, hosts.
type Level struct {
	Link Link
	// Sizes are those of its axes: of a torus two or three, else one. Ids of devices
	// count along the first one first, and along those of nearer levels before.
	Sizes []int
	// Torus says that the devices are joined along the axes to their neighbours only;
	// else each to each, by a switch. Rings are the axes whose ends are joined.
	Torus bool
	Rings []bool
}

// Levels returns how the devices of t are joined.
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
