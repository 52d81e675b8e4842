// Package page writes one HTML file about one compiled program, or about two side
// by side: what a step costs, when each op runs and sends, what is in memory then,
// what bounds each kernel, and where the shardings come from. The file needs no other
// file and no network. Without a machine that has a scale it tells parts of the step,
// and no times.
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
//	times.go     how long each op takes, and the kernels
//	phases.go    which layer and phase an op belongs to
//	arguments.go layers by the names of arguments, where ops name none
//	repeats.go   which ops of repeated layers are alike
//	stories.go   the stories of values: asked for, runs as, because
//	findings.go  what the page lists as worth a look, ranked
//	pair.go      Pair: two pages, and what differs
//	write.go     Write: the file, put together from the assets
//	assets       the HTML, the styles and the scripts
package page
