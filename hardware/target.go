package hardware

// This file defines Target, and reads the names of targets.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// Target is a number of equal devices that programs are compiled for. The devices need not be
// present.
type Target struct {
	Chip *Chip
	// Shape is, for TPUs, the torus in chips: [2, 4]. For GPUs it is the number of hosts and of
	// GPUs in each: [8] is one host with 8 GPUs, [4, 8] four of them.
	Shape []int
}

// ParseTarget reads the name of a target: "v5e:2x4", "h100:8", "h100:4x8". The name of the chip may
// be an alias, in letters of either case. It returns an error for a chip that is not known, and for
// a shape that is missing or that the chip cannot have.
func ParseTarget(name string) (Target, error) {
	text, shape, _ := strings.Cut(strings.ToLower(strings.TrimSpace(name)), ":")
	chip, err := findChip(text)
	if err != nil {
		return Target{}, fmt.Errorf("target %q: %w", name, err)
	}
	t := Target{Chip: chip}
	if t.Shape, err = parseSizes(shape); err != nil {
		return Target{}, fmt.Errorf("target %q: %w: want one such as %s", name, err, chip.example())
	}
	if err := t.check(); err != nil {
		return Target{}, fmt.Errorf("target %q: %w", name, err)
	}
	return t, nil
}

// findChip returns the chip with the name or the alias. An unknown name is an error that lists the
// known ones.
func findChip(name string) (*Chip, error) {
	var all, names []string
	for _, c := range Chips() {
		names = append(names, c.Name)
		all = append(append(all, c.Name), c.Aliases...)
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("the device %q is not known%s: want one of %s, and a shape such as in v5e:2x4 or h100:8",
		name, suggest.DidYouMean(name, all), strings.Join(names, ", "))
}

// maxSize is the largest size in a shape.
const maxSize = 1 << 20

// parseSizes reads sizes such as 2x4. An empty text, and sizes that are not whole numbers from 1 to
// maxSize, are errors.
func parseSizes(text string) ([]int, error) {
	if text == "" {
		return nil, fmt.Errorf("there is no shape")
	}
	var out []int
	for _, n := range strings.Split(text, "x") {
		size, err := strconv.Atoi(n)
		if err != nil || size <= 0 || size > maxSize {
			return nil, fmt.Errorf("the size %q in the shape %q is no whole number from 1 to %d", n, text, maxSize)
		}
		out = append(out, size)
	}
	return out, nil
}

// example returns the name of a target with chip c, for messages.
func (c *Chip) example() string {
	switch {
	case c.Torus == nil:
		return c.Name + ":" + strconv.Itoa(max(1, c.Links[0].Reach))
	case c.Torus.Axes == 2:
		return c.Name + ":2x4"
	}
	return c.Name + ":2x2x2"
}

// check returns an error if the chip cannot have the shape: more devices than its links join, or
// too many sizes. The error names a shape that is possible.
func (t Target) check() error {
	c := t.Chip
	if c.Torus != nil {
		return c.Torus.check(c, t.Shape)
	}
	reach := c.Links[0].Reach
	n := t.devicesPerHost()
	switch {
	case len(t.Shape) > 2:
		return fmt.Errorf("got %d sizes, want GPUs, or hosts and the GPUs of each: %s:%d or %s:4x%d", len(t.Shape), c.Name, reach, c.Name, reach)
	case n <= reach || reach == 0:
		return nil
	case len(t.Shape) == 1 && n%reach == 0:
		return fmt.Errorf("%s joins at most %d devices: did you mean %s:%dx%d, that many in each of %d hosts?", c.Links[0].Kind, reach, c.Name, n/reach, reach, n/reach)
	}
	return fmt.Errorf("%s joins at most %d devices, not %d: want hosts, and at most %d devices in each, such as %s:2x%d", c.Links[0].Kind, reach, n, reach, c.Name, reach)
}

// devicesPerHost returns the last size of the shape: for GPUs, the number of devices in a host.
func (t Target) devicesPerHost() int { return t.Shape[len(t.Shape)-1] }

// devicesPerChip returns the number of devices in a chip: 2 for a TPU7x, whose chiplets are
// devices, and 1 for all others.
func (c *Chip) devicesPerChip() int {
	if c.Torus != nil && len(c.Links) > 1 {
		return c.Links[0].Reach
	}
	return 1
}

// String returns the name that ParseTarget reads, such as "v5e:2x4".
func (t Target) String() string { return t.Chip.Name + ":" + sizesText(t.Shape) }

func sizesText(shape []int) string {
	var sizes []string
	for _, n := range shape {
		sizes = append(sizes, strconv.Itoa(n))
	}
	return strings.Join(sizes, "x")
}

// MarshalText returns the name of the target, for JSON.
func (t Target) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the name of a target, as ParseTarget does.
func (t *Target) UnmarshalText(name []byte) (err error) {
	*t, err = ParseTarget(string(name))
	return err
}

// Devices returns the number of devices.
func (t Target) Devices() int { return product(t.Shape) * t.Chip.devicesPerChip() }

func product(sizes []int) int {
	n := 1
	for _, size := range sizes {
		n *= size
	}
	return n
}

// Equal reports whether two targets have the same chip and the same shape.
func (t Target) Equal(u Target) bool { return t.Chip == u.Chip && slices.Equal(t.Shape, u.Shape) }
