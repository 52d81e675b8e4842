// Package explain tells the story of each value of a compiled program: the layout that was asked
// for, the layout in which it runs, and the reasons. A layout is asked for by annotations and their
// propagation. A value runs as each device computes it in the program that partitioning and the
// passes after it have made. The reasons are the steps of the layout search that changed it and
// their savings, the partial results that an op leaves, and the conflicts that an annotation lost.
//
// It follows values by their identity (ir.MarkOrigins), which every pass keeps,
// never by line or text: ask it about %12 as gospmd opt prints it, and the module
// that gospmd partition prints has %12 too.
//
// It compiles nothing: compile.Explain compiles, and fills in a Trail.
//
// Order of use: compile.Explain, or New of a Trail; Explanation.Values for all values in program
// order, Explanation.Value for one by name, Explanation.Input for one by the path of a variable,
// such as d1/kernel. Value.Chains and Value.Because take long, so they compute their results on
// demand. Value.String prints the story, JSON holds it for tools, and Explanation.Overrides lists
// the annotations that do not hold.
//
//	file        what it holds
//	trail.go    Trail: what a compilation records
//	explain.go  Explanation and Value: names, places, what is asked for, what runs
//	because.go  Reason: why a value runs as it does
//	overrides.go the annotations that do not hold
//	text.go     the text and JSON of a Value
package explain
