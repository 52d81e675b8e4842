package main

// This file enumerates mesh shapes.

import (
	"fmt"
	"strconv"
	"strings"
)

// shape is a mesh shape: the axes, and the number of devices along each.
type shape struct {
	axes  []string
	sizes []int
}

// String returns the numbers of devices along the axes, such as 2x4.
func (s shape) String() string {
	var out []string
	for _, n := range s.sizes {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, "x")
}

// shapes returns all shapes of n devices along the axes, with more devices along the first axis
// first. With three or more axes, each has several devices: a shape with a single device along one
// axis is a shape with fewer axes.
func shapes(n int, axes []string) (out []shape) {
	least := 1
	if len(axes) > 2 {
		least = 2
	}
	var extend func(sizes []int, rest int)
	extend = func(sizes []int, rest int) {
		if len(sizes) == len(axes)-1 {
			if rest >= least {
				out = append(out, shape{axes, append(sizes[:len(sizes):len(sizes)], rest)})
			}
			return
		}
		for size := rest; size >= least; size-- {
			if rest%size == 0 {
				extend(append(sizes[:len(sizes):len(sizes)], size), rest/size)
			}
		}
	}
	extend(nil, n)
	return out
}

// parseAxes returns the axes that text, the value of the flag -axes, lists. The first axis shards
// the batch, the last the units of layers, and the others the other dimension of their kernels. An
// empty name, and one that occurs twice, are errors.
func parseAxes(text string) ([]string, error) {
	axes := strings.Split(text, ",")
	known := make(map[string]bool)
	for _, name := range axes {
		if name == "" || known[name] {
			return nil, fmt.Errorf("%q: want the names of different axes, such as data,model", text)
		}
		known[name] = true
	}
	return axes, nil
}
