package hardware

// This file reads targets: which devices, how many, and in which shape.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Target is a number of equal devices that programs are compiled for, whether
// they are there or not.
type Target struct {
	Chip *Chip
	// Shape is the torus of TPUs: [2, 4]; hosts and the GPUs of each for GPUs: [8]
	// is one host of 8, [4, 8] four of them.
	Shape []int
}

// ParseTarget reads the name of a target: "v5e:2x4", "h100:8", "h100:4x8".
func ParseTarget(name string) (Target, error) {
	chip, shape, _ := strings.Cut(name, ":")
	var t Target
	var known []string
	for _, c := range chips {
		known = append(known, c.Name)
		if c.Name == chip {
			t.Chip = c
		}
	}
	if t.Chip == nil {
		return Target{}, fmt.Errorf("target %q: the device %q is not known: want one of %s", name, chip, strings.Join(known, ", "))
	}
	for _, n := range strings.Split(shape, "x") {
		size, err := strconv.Atoi(n)
		if err != nil || size <= 0 {
			return Target{}, fmt.Errorf("target %q: the shape %q is no list of sizes: want one such as %s:2x4", name, shape, chip)
		}
		t.Shape = append(t.Shape, size)
	}
	return t, nil
}

// String returns the name that ParseTarget reads.
func (t Target) String() string {
	var sizes []string
	for _, n := range t.Shape {
		sizes = append(sizes, strconv.Itoa(n))
	}
	return t.Chip.Name + ":" + strings.Join(sizes, "x")
}

// Devices returns the number of devices.
func (t Target) Devices() int {
	n := 1
	for _, size := range t.Shape {
		n *= size
	}
	return n
}

// Equal reports whether two targets are the same.
func (t Target) Equal(u Target) bool { return t.Chip == u.Chip && slices.Equal(t.Shape, u.Shape) }
