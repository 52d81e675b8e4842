package ops

// This file defines Rearrange, which changes shapes by a pattern in the notation of einops.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/keras/layers"
)

// Rearrange splits, transposes and joins axes by a pattern of their names, such as
//
//	ops.Rearrange(images, "b (h h1) (w w1) c -> b h w (c h1 w1)", map[string]int{"h1": 2, "w1": 2})
//
// Names in parentheses are parts of one axis. sizes gives the sizes of all its parts except one.
// Rearrange records a Reshape, a Transpose and a Reshape. A pattern that does not fit x makes a
// Tensor that holds the error.
func Rearrange(x *Tensor, pattern string, sizes map[string]int) *Tensor {
	y, err := rearranged(x, pattern, sizes)
	if err != nil {
		return layers.Failed(fmt.Errorf("Rearrange: got %q for the shape %s: %w", pattern, layers.ShapeText(x.Shape()), err))
	}
	return y
}

func rearranged(x *Tensor, pattern string, sizes map[string]int) (*Tensor, error) {
	if x.Err() != nil {
		return x, nil
	}
	left, right, ok := strings.Cut(pattern, "->")
	if !ok {
		return nil, fmt.Errorf("want two lists of axes with -> between them")
	}
	in, err := axesIn(left)
	if err != nil {
		return nil, err
	}
	out, err := axesIn(right)
	if err != nil {
		return nil, err
	}
	names, to := slices.Concat(in...), slices.Concat(out...)
	if a, b := slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(to)); !slices.Equal(a, b) || len(slices.Compact(a)) < len(names) {
		return nil, fmt.Errorf("want each name once on both sides")
	}
	if len(in) != len(x.Shape()) {
		return nil, fmt.Errorf("want %d axes on the left", len(x.Shape()))
	}
	size := make(map[string]int)
	for i, group := range in {
		rest, open := x.Shape()[i], ""
		for _, name := range group {
			n, ok := sizes[name]
			switch {
			case ok && n > 0 && (rest < 0 || rest%n == 0):
				size[name] = n
				if rest > 0 {
					rest /= n
				}
			case ok:
				return nil, fmt.Errorf("axis %d has %d elements, which %s=%d does not divide", i, x.Shape()[i], name, n)
			case open != "":
				return nil, fmt.Errorf("want the size of %s or of %s", open, name)
			default:
				open = name
			}
		}
		if open != "" {
			size[open] = rest
		} else if rest != 1 {
			return nil, fmt.Errorf("axis %d has %d elements, want the product of its sizes", i, x.Shape()[i])
		}
	}
	var split, joined, order []int
	for _, name := range names {
		split = append(split, size[name])
	}
	for _, name := range to {
		order = append(order, slices.Index(names, name))
	}
	for _, group := range out {
		n := 1
		for _, name := range group {
			if n < 0 || size[name] < 0 {
				n = layers.None
			} else {
				n *= size[name]
			}
		}
		joined = append(joined, n)
	}
	return Reshape(Transpose(Reshape(x, split...), order...), joined...), nil
}

// axesIn parses one side of a pattern of Rearrange, such as "b (h w) c", and returns its axes. An
// axis is a list of names: those in parentheses, or one name. Parentheses that do not close, or are
// nested, are errors.
func axesIn(list string) (axes [][]string, err error) {
	inside := false
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(list)) {
		switch {
		case word == "(" && !inside:
			inside = true
			axes = append(axes, nil)
		case word == ")" && inside:
			inside = false
		case word == "(" || word == ")":
			return nil, fmt.Errorf("want brackets that close, and none within others")
		case inside:
			axes[len(axes)-1] = append(axes[len(axes)-1], word)
		default:
			axes = append(axes, []string{word})
		}
	}
	if inside {
		return nil, fmt.Errorf("want brackets that close")
	}
	return axes, nil
}
