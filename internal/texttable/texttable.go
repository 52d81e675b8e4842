// Package texttable formats tables and numbers for people, and reads sizes that people write.
//
// It knows nothing of the contents of a table.
//
// Order of use: New, write cells that end in tabs, Flush; Trim the whole text.
//
//	function     role
//	New          aligns cells, which end in tabs
//	Trim         removes the spaces that aligning leaves at the ends of lines
//	GroupDigits  a number with commas: 1,234,567
//	Bytes        a number of bytes for people: 1.2 MB
//	ParseBytes   reads a number of bytes that people write: 1.5GB, 16GiB
//
//	file           holds
//	texttable.go   tables and numbers that are printed
//	parse.go       numbers that are read
package texttable

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// New returns a writer that aligns the columns of the lines written to it, two spaces apart. A tab
// ends a cell. Call Flush at the end of the table.
func New(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// Trim removes spaces from the ends of lines.
func Trim(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Bytes formats a number of bytes with a fitting unit: 9,999 bytes, 12.3 kB, 1.2 MB, 3.4 GB. A kB
// is 1000 bytes.
func Bytes(n int) string {
	if n < 10_000 {
		return GroupDigits(n) + " bytes"
	}
	size, unit := float64(n)/1e3, 0
	for size >= 999.95 && unit < len(units)-1 {
		size, unit = size/1e3, unit+1
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}

var units = []string{"kB", "MB", "GB", "TB", "PB"}

// GroupDigits returns n with commas: 1,234,567.
func GroupDigits(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
