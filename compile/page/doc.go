// Package page writes one HTML file about one compiled program: what a step
// costs, when each op runs and sends, what is in memory then, and where the
// shardings come from. The file needs no other file and no network.
//
// It computes no cost (package compile/cost does), explains nothing (package
// compile/explain does) and finds no suggestion (package compile does). The file holds the program as columns of numbers and one
// table of strings; what is seen is drawn by the scripts in assets when it is
// seen.
//
// Order of use: New; then Page.Write.
//
//	file         what it holds
//	page.go      Page: the data, in the form in which the scripts read it
//	columns.go   the table of strings, and columns of numbers
//	ops.go       the rows of ops and values
//	memory.go    what is in memory while each op runs; the order of the ops
//	phases.go    which layer and phase an op belongs to
//	stories.go   the stories of values: asked for, runs as, because
//	findings.go  what the page lists as worth a look, ranked
//	write.go     Write: the file, put together from the assets
//	assets       the HTML, the styles and the scripts
package page
