package option

// This file defines Table: options that also occur in Keras' configs. Each is described once, so
// that constructors, files and descriptions agree.

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
)

// Setting describes an option of a T, and its key in Keras' configs.
type Setting[T any] struct {
	Option string // the name of the option, such as FromLogits
	Key    string // its name in Keras, such as from_logits
	// Field returns a pointer to the field of T with the value: *bool, *float64, *int, *string,
	// **float64 or **int (nil is None), *[]float64, *[]int or *[]string (nil is None); or a Value.
	Field func(*T) any
	// Check returns the error of a value that is out of range; nil allows all.
	Check func(v any) error
}

// Value is a field with a type that Table does not know.
type Value interface {
	Assign(v any) error // v is a Go value, or was read from JSON
	Read() any          // the value in a config, nil for None
}

// Table describes options.
type Table[T any] []Setting[T]

// With returns the option of that name, with the given Go value.
func (s Table[T]) With(name string, value any) Option[T] {
	i := slices.IndexFunc(s, func(x Setting[T]) bool { return x.Option == name })
	if i < 0 {
		panic("BUG: option: the table has no " + name)
	}
	return s[i].with(value)
}

// with returns the option with a Go value, or a value that was read from JSON.
func (x Setting[T]) with(value any) Option[T] {
	return Option[T]{x.Option, func(t *T) error {
		field := x.Field(t)
		if err := assign(field, value); err != nil {
			return err
		}
		if v := read(field); x.Check != nil && v != nil {
			return x.Check(v)
		}
		return nil
	}}
}

// Config returns the values of the named options, by their keys in Keras' configs. A value is nil
// where Python has None.
func (s Table[T]) Config(t *T, names []string) map[string]any {
	config := make(map[string]any)
	for _, x := range s {
		if slices.Contains(names, x.Option) {
			config[x.Key] = read(x.Field(t))
		}
	}
	return config
}

// Options returns the options of a config that was read from JSON. names are the allowed options.
// Any other key is an error, unless its value means that the option is off.
func (s Table[T]) Options(config map[string]any, names []string) ([]Option[T], error) {
	var out []Option[T]
	for _, key := range slices.Sorted(maps.Keys(config)) {
		i := slices.IndexFunc(s, func(x Setting[T]) bool { return x.Key == key && slices.Contains(names, x.Option) })
		switch v := config[key]; {
		case i >= 0:
			out = append(out, s[i].with(v))
		case v != nil && v != false:
			return nil, fmt.Errorf("the option %s = %s is not known here", brief.Text(key), brief.Value(v))
		}
	}
	return out, nil
}

// read returns the value of a field; nil stands for None.
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

// assign sets a field to a Go value, or to a value that was read from JSON.
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

// wantedValues names the values that a field takes.
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

// list converts a list of Go or JSON to a slice. A single element becomes a slice of one; nil stays
// nil.
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

// Fraction is a Check for numbers in [0, 1].
func Fraction(v any) error {
	return checkNumbers(v, "a number in [0, 1]", func(x float64) bool { return x >= 0 && x <= 1 })
}

// NotNegative is a Check for finite numbers of at least 0.
func NotNegative(v any) error {
	return checkNumbers(v, "a number not below 0", func(x float64) bool { return x >= 0 && !math.IsInf(x, 1) })
}

// notPositive is a Check for numbers of at most 0.
func notPositive(v any) error {
	return checkNumbers(v, "a number not above 0", func(x float64) bool { return x <= 0 })
}

// Positive is a Check for finite numbers above 0.
func Positive(v any) error {
	return checkNumbers(v, "a positive number", func(x float64) bool { return x > 0 && !math.IsInf(x, 1) })
}

// OneOf returns a Check that allows only these texts.
func OneOf(texts ...string) func(any) error {
	return func(v any) error {
		if !slices.Contains(texts, v.(string)) {
			return fmt.Errorf("got %q, want one of %q", v, texts)
		}
		return nil
	}
}

// checkNumbers checks a number, or each number of a list.
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
