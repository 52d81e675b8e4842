// Package page writes one HTML file about one compiled program, or about two side by side. It shows
// what a step costs, when each op runs and sends, what is in memory then, what bounds each kernel,
// and where the shardings come from. The file needs no other file and no network. If the machine
// has no scale, it shows no times, but fractions of the step.
//
// It computes no cost (package compile/cost does), explains nothing (package compile/explain does)
// and finds no suggestion (package compile/suggest does). The file holds the program as columns of
// numbers and one table of strings. The scripts in assets draw each part when it comes into view.
//
// Order of use: New; then Page.Write, or NewPair and Pair.Write.
//
//	file         what it holds
//	page.go      Page: the data, in the form in which the scripts read it
//	columns.go   the table of strings, and columns of numbers
//	ops.go       the rows of ops and values
//	memory.go    what is in memory while each op runs, and until when; the order of the ops
//	fitting.go   the memory before and after values are computed again
//	times.go     how long each op takes, and the kernels
//	phases.go    which layer and which phase of the step an op belongs to
//	arguments.go layers by the names of arguments, if ops have no layer paths
//	repeats.go   corresponding ops of repeated layers
//	stories.go   the stories of values: asked for, runs as, because
//	findings.go  the findings that the page lists, ranked
//	pair.go      Pair: two pages, and their differences
//	write.go     Write: the file, put together from the assets
//	assets       the HTML, the styles and the scripts
package page
