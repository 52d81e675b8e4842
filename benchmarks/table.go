package main

// This file prints the results as tables, and formats their values.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/texttable"
)

// table has a head and rows of cells, each with as many cells as the head.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write writes the table to out, without its empty columns: aligned, or as Markdown. The cells of
// each row are as many as those of the head.
func (t *table) write(out io.Writer, markdown bool) error {
	t = t.dropEmptyColumns()
	if markdown {
		rule := make([]string, len(t.head))
		for i := range rule {
			rule[i] = "---"
		}
		for _, row := range slices.Concat([][]string{t.head, rule}, t.rows) {
			if _, err := fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | ")); err != nil {
				return err
			}
		}
		return nil
	}
	w := texttable.New(out)
	for _, row := range slices.Concat([][]string{t.head}, t.rows) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// dropEmptyColumns returns a copy of the table without the columns that are empty in all rows.
func (t *table) dropEmptyColumns() *table {
	out := &table{rows: make([][]string, len(t.rows))}
	for i, head := range t.head {
		if !slices.ContainsFunc(t.rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		out.head = append(out.head, head)
		for j, row := range t.rows {
			out.rows[j] = append(out.rows[j], row[i])
		}
	}
	return out
}

// titled is a table with a title.
type titled struct {
	title string
	table *table
}

// print writes to out, for each of the chosen suites, its measurements, then geometric means,
// targets and failures; tables without rows are left out. The tables of suites have all rows. In
// Markdown they have only ratios by mesh, so that they fit into a README.
func (r *Results) print(out io.Writer, chosen []string, markdown bool) error {
	var parts []titled
	for _, s := range suites {
		switch {
		case !slices.Contains(chosen, s.name):
		case markdown:
			parts = append(parts, titled{s.name + ": ours in proportion to a peer's", r.grid(s.name)})
		default:
			parts = append(parts, titled{s.name + ": " + s.about, r.table(s.name)})
		}
	}
	parts = append(parts, titled{"geometric means of the ratios, over models and meshes", r.means()}, titled{"targets", r.targetsTable()}, titled{"failures", r.failures()})
	fmt.Fprintf(out, "%s, %s, commit %s\n", r.Machine, r.Date, r.Commit)
	for _, p := range parts {
		if len(p.table.rows) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n\n", p.title)
		if err := p.table.write(out, markdown); err != nil {
			return err
		}
	}
	return nil
}

// grid returns a table of a suite's ratios (our measurement by a peer's): a row for each quantity,
// model and pair of workers, a column for each mesh. Measurements without a peer are left out.
func (r *Results) grid(suite string) *table {
	t := &table{head: []string{"quantity", "model", "ours / peer"}}
	first := len(t.head)
	for _, x := range r.Ratios {
		if x.Suite != suite || x.Peer == "" {
			continue
		}
		column := slices.Index(t.head, x.Mesh)
		if column < 0 {
			column, t.head = len(t.head), append(t.head, x.Mesh)
		}
		named := []string{x.Quantity, x.Model, x.Worker + " / " + x.Peer}
		row := slices.IndexFunc(t.rows, func(row []string) bool { return slices.Equal(row[:first], named) })
		if row < 0 {
			row = len(t.rows)
			t.rows = append(t.rows, named)
		}
		t.rows[row] = slices.Concat(t.rows[row], make([]string, max(0, column+1-len(t.rows[row]))))
		cells := x.Ratio.cells(decimals)
		t.rows[row][column] = strings.TrimSpace(cells[0] + " " + parenthesize(cells[1]))
	}
	for i, row := range t.rows {
		t.rows[i] = slices.Concat(row, make([]string, len(t.head)-len(row)))
	}
	return t
}

func parenthesize(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// table returns a table of a suite's ratios, a row for each: our median and the peer's with
// quartiles, and how the losses differ. Without a peer the cells of the peer are empty.
func (r *Results) table(suite string) *table {
	t := &table{head: []string{"model", "mesh", "quantity", "ours", "quartiles", "peer", "theirs", "quartiles", "ratio", "quartiles", "losses differ by"}}
	for _, x := range r.Ratios {
		if x.Suite != suite {
			continue
		}
		differs := ""
		if x.Differs > 0 {
			differs = fmt.Sprintf("%.0e", x.Differs)
		}
		f := formatOf(x.Quantity)
		ours := x.Ours.cells(f)
		if x.Peer == "" {
			t.add(x.Model, x.Mesh, quantityOf(x), ours[0], ours[1], "", "", "", "", "", "")
			continue
		}
		theirs, ratio := x.Theirs.cells(f), x.Ratio.cells(decimals)
		t.add(x.Model, x.Mesh, quantityOf(x), ours[0], ours[1], x.Peer, theirs[0], theirs[1], ratio[0], ratio[1], differs)
	}
	return t
}

// quantityOf returns the name of the quantity that x compares, followed by the name of our worker
// in brackets if it is not the default one.
func quantityOf(x Ratio) string {
	if x.Worker != us {
		return x.Quantity + " (" + x.Worker + ")"
	}
	return x.Quantity
}

// cells returns two cells of the table: the median, and the quartiles with – between them. The
// second is "" if the quartiles are equal.
func (s spread) cells(format func(float64) string) [2]string {
	if s.Low == s.High {
		return [2]string{format(s.Median), ""}
	}
	return [2]string{format(s.Median), format(s.Low) + "–" + format(s.High)}
}

// formats has the functions that format the values of quantities other than seconds.
var formats = map[string]func(float64) string{
	"bytes sent": size, "collectives": number, "predicted peak": size, "peak": size,
}

// formatOf returns the function that formats values of a quantity; seconds are the default.
func formatOf(quantity string) func(float64) string {
	switch {
	case strings.HasPrefix(quantity, "peak of "):
		return size
	case formats[quantity] != nil:
		return formats[quantity]
	}
	return seconds
}

func seconds(s float64) string {
	if s >= 1 {
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.3g ms", 1e3*s)
}

func size(n float64) string     { return texttable.Bytes(int(n)) }
func number(n float64) string   { return fmt.Sprint(int(n)) }
func decimals(x float64) string { return fmt.Sprintf("%.2f", x) }

// means returns a table of the geometric means of the ratios by suite, quantity and pair of
// workers, and of how many ratios each is. Ratios of 0 do not count.
func (r *Results) means() *table {
	t := &table{head: []string{"suite", "quantity", "ours / peer", "ratio", "of"}}
	var order []string
	values := map[string][]float64{}
	for _, x := range r.Ratios {
		if x.Peer == "" {
			continue
		}
		k := strings.Join([]string{x.Suite, x.Quantity, x.Worker + " / " + x.Peer}, "\t")
		if values[k] == nil {
			order = append(order, k)
		}
		if v := x.Ratio.Median; v > 0 {
			values[k] = append(values[k], v)
		}
	}
	for _, k := range order {
		if list := values[k]; len(list) > 0 {
			t.add(append(strings.Split(k, "\t"), decimals(geometricMean(list)), number(float64(len(list))))...)
		}
	}
	return t
}

func (r *Results) targetsTable() *table {
	t := &table{head: []string{"target", "at most", "measured", "", "largest on"}}
	for _, x := range r.Targets {
		said, value := "not reached", decimals(x.Value)
		switch {
		case x.Of == 0:
			said, value = "not measured", ""
		case x.Reached:
			said = "reached"
		}
		t.add(x.Target, decimals(x.Most), value, said, x.Worst)
	}
	return t
}

func (r *Results) failures() *table {
	t := &table{head: []string{"suite", "model", "mesh", "who", "error"}}
	for _, f := range r.Failures {
		first, _, _ := strings.Cut(f.Error, "\n")
		t.add(f.Suite, f.Model, f.Mesh, f.Worker, first)
	}
	return t
}
