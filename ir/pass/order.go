package pass

// This file checks the order of passes.

import (
	"errors"
	"fmt"
	"slices"
)

// Before says that pass First must run before pass Then, and why.
type Before struct{ First, Then, Why string }

// CheckOrder returns an error for each rule that a list of passes, whose names
// are unique, does not keep.
func CheckOrder(names []string, rules []Before) error {
	var errs []error
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			errs = append(errs, fmt.Errorf("there are two passes %q", name))
		}
	}
	for _, r := range rules {
		first, then := slices.Index(names, r.First), slices.Index(names, r.Then)
		switch {
		case first < 0:
			errs = append(errs, fmt.Errorf("there is no pass %q", r.First))
		case then < 0:
			errs = append(errs, fmt.Errorf("there is no pass %q", r.Then))
		case first > then:
			errs = append(errs, fmt.Errorf("pass %s must run before %s: %s", r.First, r.Then, r.Why))
		}
	}
	return errors.Join(errs...)
}
