package hardware

// This file finds out the target of devices by the name that their plugin gives them.

import (
	"slices"
	"strings"
)

// Of returns the target of n devices of a kind, as PJRT names it: "NVIDIA H100 80GB HBM3", "TPU v5
// lite". Of assumes that GPUs are in one host, and that TPUs form the torus of that many chips
// whose axes differ least. ok is false if the chip is not known, or if no such torus exists.
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

// chipOfKind returns the chip with the longest name that successive words of kind are; nil if there
// is none.
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
