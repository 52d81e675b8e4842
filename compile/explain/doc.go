// Package explain tells the story of each value of a compiled program: the layout that was asked
// for, the layout in which it runs, and the reasons. Annotations and their propagation determine
// the layout that was asked for. The layout in which a value runs is that of the program after
// partitioning and all later passes. The reasons are the steps of the layout search that changed it
// and their savings, the partial results that an op leaves, and the conflicts that an annotation
// lost.
//
// It follows values by their identity (ir.MarkOrigins), which every pass keeps, and not by line or
// text. So you can ask about %12 as gospmd opt prints it, and the module that gospmd partition
// prints also has %12.
//
// It does not compile: compile.Explain does, and records a Trail.
//
// Order of use: compile.Explain, or New of a Trail; Explanation.Values for all values in program
// order, Explanation.Value for one by name, Explanation.Input for one by the path of a variable,
// such as d1/kernel. Value.Chains and Value.Because take long, so they compute their results on
// demand. Value.String returns the story as text, and its JSON form is for tools.
// Explanation.Overrides lists the annotations that the program does not keep.
//
//	file        what it holds
//	trail.go    Trail: what a compilation records
//	explain.go  Explanation and Value: names, locations, what is asked for, what runs
//	because.go  Reason: why a value runs as it does
//	overrides.go the annotations that the program does not keep
//	text.go     the text and JSON of a Value
package explain
