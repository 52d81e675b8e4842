// Package jsonfloat writes all floating-point numbers into JSON, which itself has no infinities and
// no NaN. Reading returns every number bit for bit, except that all NaNs become one.
//
//	type state struct{ Best jsonfloat.Float }
package jsonfloat

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Float is a float64 that JSON can hold: a number, or the text "NaN", "+Inf"
// or "-Inf".
type Float float64

// MarshalJSON writes the number; NaN and infinities are written as strings.
func (f Float) MarshalJSON() ([]byte, error) {
	text := strconv.FormatFloat(float64(f), 'g', -1, 64)
	if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		text = strconv.Quote(text)
	}
	return []byte(text), nil
}

// UnmarshalJSON reads what MarshalJSON writes: a number, or a string with a number, NaN or an
// infinity. Other values are an error.
func (f *Float) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fmt.Errorf("got %s, want a number", data)
	}
	*f = Float(v)
	return nil
}
