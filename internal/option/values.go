package option

// This file holds the values of options: how a field takes a value of Go or of JSON and gives it
// back, and the checks of values.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/suggest"
)

// Value is a field of an option struct whose type package option does not know: it sets and reads
// itself.
type Value interface {
	Assign(v any) error // Assign sets the value from v, a Go value or one that was read from JSON.
	Read() any          // the value in a config, nil for None
}

// Ints are integers. One alone stands in configs as itself, not as a list.
type Ints []int

// Assign sets n to v, an integer or a list of integers, of Go or of JSON. Other values are an
// error.
func (n *Ints) Assign(v any) error { return assign((*[]int)(n), v) }

// Read returns the integer if the list has one, otherwise the list as []int; nil if it is nil.
func (n *Ints) Read() any {
	switch {
	case *n == nil:
		return nil
	case len(*n) == 1:
		return (*n)[0]
	}
	return []int(*n)
}

// Texts are texts, for a Value that consists of them.
type Texts []string

// Assign sets t to v, a text or a list of texts, of Go or of JSON. Other values are an error.
func (t *Texts) Assign(v any) error { return assign((*[]string)(t), v) }

// read returns the value of a field, given by its pointer, as Keras' config has it; nil stands for
// None.
func read(field any) any {
	switch f := field.(type) {
	case Value:
		return f.Read()
	case *bool:
		return *f
	case *float64:
		return *f
	case *int:
		return *f
	case *string:
		return *f
	case **float64:
		if *f != nil {
			return **f
		}
	case **int:
		if *f != nil {
			return **f
		}
	case *[]float64:
		if *f != nil {
			return *f
		}
	case *[]int:
		if *f != nil {
			return *f
		}
	case *[]string:
		if *f != nil {
			return *f
		}
	default:
		panic(fmt.Sprintf("BUG: option: a field is a %T", field))
	}
	return nil
}

// assign sets a field to a Go value, or to a value that was read from JSON. If the field cannot
// take it, the error names the wanted values. nil is none, for fields that may have none, and the
// empty text.
func assign(field, value any) error {
	ok := false
	switch f := field.(type) {
	case Value:
		return f.Assign(value)
	case *bool:
		*f, ok = value.(bool)
	case *string:
		*f, ok = value.(string)
		ok = ok || value == nil
	case *float64:
		*f, ok = number(value)
	case *int:
		*f, ok = integer(value)
	case **float64:
		*f = nil
		if v, is := number(value); is {
			*f, ok = &v, true
		}
		ok = ok || value == nil
	case **int:
		*f = nil
		if v, is := integer(value); is {
			*f, ok = &v, true
		}
		ok = ok || value == nil
	case *[]float64:
		*f, ok = list(value, number)
	case *[]int:
		*f, ok = list(value, integer)
	case *[]string:
		*f, ok = list(value, func(v any) (string, bool) { s, ok := v.(string); return s, ok })
	}
	if !ok {
		return fmt.Errorf("got %s, want %s", brief.Value(value), wantedValues(field))
	}
	return nil
}

// wantedValues returns a text for errors that names the values that a field takes, given by its
// pointer.
func wantedValues(field any) string {
	switch field.(type) {
	case *bool:
		return "true or false"
	case *string:
		return "a text"
	case *float64:
		return "a number"
	case *int:
		return "an integer"
	case **float64:
		return "a number or none"
	case **int:
		return "an integer or none"
	case *[]int:
		return "integers"
	case *[]string:
		return "texts"
	}
	return "numbers"
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

func integer(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case float64:
		return int(v), v == math.Trunc(v) && math.Abs(v) <= 1<<53
	}
	return 0, false
}

// list converts a list of Go ([]E) or of JSON ([]any) to a new slice. element converts an element
// of JSON. A single element becomes a slice of one; nil stays nil. The second result is false if
// element cannot convert an element.
func list[E any](v any, element func(any) (E, bool)) ([]E, bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case []E:
		return slices.Clone(v), true
	case []any:
		out := make([]E, len(v))
		for i, x := range v {
			var ok bool
			if out[i], ok = element(x); !ok {
				return nil, false
			}
		}
		return out, true
	}
	one, ok := element(v)
	return []E{one}, ok
}

// fraction returns an error unless v is a number in [0, 1], or a list of such.
func fraction(v any) error {
	return checkNumbers(v, "a number in [0, 1]", func(x float64) bool { return x >= 0 && x <= 1 })
}

// notNegative returns an error unless v is a finite number of at least 0, or a list of such.
func notNegative(v any) error {
	return checkNumbers(v, "a number not below 0", func(x float64) bool { return x >= 0 && !math.IsInf(x, 1) })
}

// notPositive returns an error unless v is a number of at most 0, or a list of such.
func notPositive(v any) error {
	return checkNumbers(v, "a number not above 0", func(x float64) bool { return x <= 0 })
}

// Positive returns an error unless v is a finite number above 0, or a list of such. A number is a
// float64 or an int.
func Positive(v any) error {
	return checkNumbers(v, "a positive number", func(x float64) bool { return x > 0 && !math.IsInf(x, 1) })
}

// Share returns an error unless v is a number above 0 and below 1, or a list of such. A number is a
// float64 or an int.
func Share(v any) error {
	return checkNumbers(v, "a number between 0 and 1", func(x float64) bool { return x > 0 && x < 1 })
}

// OneOf returns the check that allows only these texts. Its error lists them. The value must be a
// string: it panics for others.
func OneOf(texts ...string) func(v any) error {
	return func(v any) error {
		text, hint := v.(string), ""
		if slices.Contains(texts, text) {
			return nil
		}
		if len(texts) > 1 {
			hint = suggest.DidYouMean(text, texts)
		}
		return fmt.Errorf("got %q%s, want one of %q", text, hint, texts)
	}
}

// checkNumbers returns an error that says want, unless ok accepts v, a number, or each number of v,
// a list.
func checkNumbers(v any, want string, ok func(float64) bool) error {
	switch v := v.(type) {
	case []float64:
		for _, x := range v {
			if !ok(x) {
				return fmt.Errorf("got %g, want each to be %s", x, want)
			}
		}
		return nil
	case []int:
		for _, x := range v {
			if !ok(float64(x)) {
				return fmt.Errorf("got %d, want each to be %s", x, want)
			}
		}
		return nil
	}
	if x, is := number(v); !is || !ok(x) {
		return fmt.Errorf("got %v, want %s", v, want)
	}
	return nil
}

// MaxSize is the largest size that an option may be.
const MaxSize = 1<<31 - 1

// size returns an error unless v is an int from 1 to MaxSize.
func size(v any) error {
	if n, ok := v.(int); !ok || n < 1 || n > MaxSize {
		return fmt.Errorf("got %v, want a positive number of at most %d", v, MaxSize)
	}
	return nil
}

// sizes returns an error unless v is an int from 1 to MaxSize, or a list of such.
func sizes(v any) error {
	list, ok := v.([]int)
	if !ok {
		return size(v)
	}
	for _, n := range list {
		if size(n) != nil {
			return fmt.Errorf("got %v, want positive numbers of at most %d", v, MaxSize)
		}
	}
	return nil
}

// upTo returns the check that allows only an integer from 1 to most; it panics for a value that is
// no int. The number counts things that are computed one by one, such as layers. The error has both
// numbers.
func upTo(most int) func(v any) error {
	return func(v any) error {
		if n := v.(int); n < 1 || n > most {
			return fmt.Errorf("got %d, want a number between 1 and %d", n, most)
		}
		return nil
	}
}

// Floats returns the number that v is, or those that it holds; nil if it is something else.
func Floats(v any) (out []float64) {
	switch x := v.(type) {
	case float64:
		return []float64{x}
	case int:
		return []float64{float64(x)}
	case [2]float64:
		return x[:]
	case []float64:
		return x
	case []any:
		for _, n := range x {
			x, ok := number(n)
			if !ok {
				return nil
			}
			out = append(out, x)
		}
	}
	return out
}
