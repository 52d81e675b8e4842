package goengine

// This file shows the tests what Load has made.

// Segments returns how many segments e hands to the backend,
// in all functions.
func Segments(e *Executable) int { return e.segments }
