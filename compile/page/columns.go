package page

// This file defines the table of strings, and columns of numbers.

import "encoding/json"

// table holds each of several strings once. The columns of the page's data refer to them by index.
type table struct {
	Strings []string
	index   map[string]int
}

// add adds s, unless the table has it, and returns its index.
func (t *table) add(s string) int {
	if i, ok := t.index[s]; ok {
		return i
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	i := len(t.Strings)
	t.index[s] = i
	t.Strings = append(t.Strings, s)
	return i
}

// column holds a number for each row.
type column []int

// MarshalJSON writes the column as a list of integers; an empty column is [], not null.
func (c column) MarshalJSON() ([]byte, error) {
	if c == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]int(c))
}

// lists stores several lists of numbers in one column: list i ends before index Ends[i], and starts
// where the list before it ends.
type lists struct {
	Items column `json:"items"`
	Ends  column `json:"ends"`
}

func (l *lists) add(items []int) {
	l.Items = append(l.Items, items...)
	l.Ends = append(l.Ends, len(l.Items))
}
