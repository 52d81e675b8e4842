package hardware

// This file finds the target that present devices form, from the name that their plugin gives them.

import (
	"slices"
	"strings"
)

// Of returns the target of n devices of the kind that PJRT names: "NVIDIA H100 80GB HBM3", "TPU v5
// lite". It assumes that GPUs are in one host. For TPUs it takes the torus of that many chips in
// Torus.Sizes. ok is false if the chip is not known, if a host has fewer GPUs, or if no such torus
// is listed.
func Of(kind string, n int) (t Target, ok bool) {
	if t.Chip = chipOfKind(kind); t.Chip == nil || n < 1 || n%t.Chip.devicesPerChip() != 0 {
		return Target{}, false
	}
	chips := n / t.Chip.devicesPerChip()
	if t.Chip.Torus == nil {
		t.Shape = []int{chips}
		return t, t.check() == nil
	}
	for _, shape := range t.Chip.Torus.Sizes {
		if product(shape) == chips {
			return Target{Chip: t.Chip, Shape: shape}, true
		}
	}
	return Target{}, false
}

// chipOfKind returns the chip whose name occurs in kind, as one or several words in a row. If there
// are several, it returns the one with the longest name; if there is none, nil.
func chipOfKind(kind string) (found *Chip) {
	isSeparator := func(r rune) bool { return strings.ContainsRune(" -_", r) }
	words := strings.FieldsFunc(strings.ToLower(kind), isSeparator)
	longest := 0
	for _, c := range Chips() {
		for _, name := range slices.Concat([]string{c.Name}, c.Aliases) {
			parts := strings.FieldsFunc(name, isSeparator)
			for at := range words {
				if len(name) > longest && len(words)-at >= len(parts) && slices.Equal(words[at:at+len(parts)], parts) {
					found, longest = c, len(name)
				}
			}
		}
	}
	return found
}
