package goengine

// This file exports properties of loaded programs to tests.

// Segments returns the number of segments of e, which GoMLX's Go backend computes, in all
// functions.
func Segments(e *Executable) int { return e.segments }
