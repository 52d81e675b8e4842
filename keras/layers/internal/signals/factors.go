package signals

// This file defines Factors, a window as users give it.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/option"
)

// Factors are a window as users give it: the name of one, or its numbers. Neither stands for no
// window.
type Factors struct {
	Name    string
	numbers []float64
}

// Assign sets the window to v: the name of a window, a list of numbers, or nil for none. An unknown
// name and anything else are errors.
func (w *Factors) Assign(v any) error {
	*w = Factors{}
	if v == nil {
		return nil
	}
	if name, ok := v.(string); ok {
		w.Name = name
		return CheckWindow(name)
	}
	if w.numbers = option.Floats(v); w.numbers == nil {
		return fmt.Errorf("got %s, want the name of a window, such as \"hann\", or its numbers", brief.Value(v))
	}
	return nil
}

// Read returns what Assign took: the name of a window, its numbers, or nil.
func (w *Factors) Read() any {
	switch {
	case w.Name != "":
		return w.Name
	case w.numbers != nil:
		return w.numbers
	}
	return nil
}

// Of returns the window of n numbers, nil for none. For the name of a window, periodic is that of
// Window. Numbers that were given must be n; otherwise that is an error.
func (w Factors) Of(n int, periodic bool) ([]float64, error) {
	if w.Name != "" {
		return Window(w.Name, n, periodic), nil
	}
	if w.numbers != nil && len(w.numbers) != n {
		return nil, fmt.Errorf("got a window of %d numbers, want %d, the length of a frame", len(w.numbers), n)
	}
	return w.numbers, nil
}
