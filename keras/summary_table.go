package keras

// This file writes tables that fit a given line length.

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// columnGap is the space between columns, minColumn the least width of a column.
const columnGap, minColumn = 2, 6

// summaryTable holds the rows of a table, the header first. A row has a cell for each column.
type summaryTable [][]string

func (t *summaryTable) add(cells ...string) { *t = append(*t, cells) }

// writeTo writes the table in lines of at most width characters; 0 means no limit. Longer cells are
// wrapped. If all columns have the least width, lines may be longer.
func (t summaryTable) writeTo(w *strings.Builder, width int) {
	widths := t.widths(width)
	for _, row := range t {
		cells := make([][]string, len(row))
		lines := 0
		for i, cell := range row {
			cells[i] = folded(cell, widths[i])
			lines = max(lines, len(cells[i]))
		}
		for n := range lines {
			for i, cell := range cells {
				text := ""
				if n < len(cell) {
					text = cell[n]
				}
				w.WriteString(text)
				if i < len(cells)-1 {
					w.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)+columnGap))
				}
			}
			w.WriteByte('\n')
		}
	}
}

// widths returns the widths of the columns. Each is as wide as its cells. If lines would be longer
// than width characters, the widest columns are narrowed, down to minColumn; 0 means no limit.
func (t summaryTable) widths(width int) []int {
	var out []int
	for _, row := range t {
		for i, cell := range row {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], utf8.RuneCountInString(cell))
		}
	}
	total := columnGap * (len(out) - 1)
	for _, n := range out {
		total += n
	}
	for ; width > 0 && total > width; total-- {
		widest := 0
		for i, n := range out {
			if n > out[widest] {
				widest = i
			}
		}
		if out[widest] <= minColumn {
			break
		}
		out[widest]--
	}
	return out
}

// folded returns the lines, of at most width characters, into which it wraps a cell. It breaks a
// line after a separator, if there is one in the second half of the line.
func folded(cell string, width int) []string {
	var lines []string
	for rest := []rune(cell); ; {
		if len(rest) <= width {
			return append(lines, string(rest))
		}
		at := width
		for i := width; i > width/2; i-- {
			if strings.ContainsRune(" /,_", rest[i-1]) {
				at = i
				break
			}
		}
		lines = append(lines, string(rest[:at]))
		rest = rest[at:]
	}
}

// widthOf returns the width in characters of the terminal that w is, or 0 if w is no terminal or
// the width is not known.
func widthOf(w io.Writer) int {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	n, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return n
}
