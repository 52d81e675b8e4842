package page

// This file defines the table of strings.

// table holds each string once; columns hold its index.
type table struct {
	Strings []string
	index   map[string]int
}

// add returns the index of s.
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

// lists are lists of numbers in one column: list i ends before Ends[i], and
// begins where the one before ends.
type lists struct {
	Items []int `json:"items"`
	Ends  []int `json:"ends"`
}

func (l *lists) add(items []int) {
	if l.Items == nil {
		l.Items = []int{} // null is no list
	}
	l.Items = append(l.Items, items...)
	l.Ends = append(l.Ends, len(l.Items))
}
