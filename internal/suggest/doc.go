// Package suggest finds the names that a user may have meant.
//
// It is not a fuzzy search: it looks at spelling only, and candidates are few.
//
// Order of use: DidYouMean after the wrong name in an error text; Nearest where the
// caller words the advice itself.
//
//	file          what it holds
//	suggest.go    DidYouMean, Nearest, Quoted
//	distance.go   Distance between two spellings
package suggest
