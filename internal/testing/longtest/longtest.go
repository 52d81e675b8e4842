// Package longtest says which form of a slow test runs: the short one or the long one.
//
// Tests that are slow by design (a training that is killed again and again, the whole of MNIST,
// every type of every op) have a short form, which go test ./... runs, and a long form, which CI
// runs: GOSPMD_LONG_TESTS=1 go test ./.... Both forms check the same properties. The long form has
// more repetitions, sizes or combinations.
//
// It is not for tests that need a peer or a file: those skip by themselves.
//
// Order of use: Pick if the forms differ in a value, Enabled if they differ in more, Only if the
// short form has nothing to run; Asked before the flags are parsed.
//
//	function   role
//	Enabled    whether the long form runs
//	Pick       the value of the form that runs
//	Only       skips a test in the short form
//	SkipShort  skips a test with -short
//	Asked      whether the environment asks for the long form
package longtest

import (
	"os"
	"strconv"
	"testing"

	"github.com/gospmd/gospmd/internal/testing/needs"
)

// Var is the environment variable that asks for the long form.
const Var = "GOSPMD_LONG_TESTS"

// Asked reports whether the environment asks for the long form.
func Asked() bool {
	long, _ := strconv.ParseBool(os.Getenv(Var))
	return long
}

// Enabled reports whether tests run in their long form: the environment asks
// for it, and -short does not forbid it.
func Enabled() bool { return Asked() && !testing.Short() }

// Pick returns long in the long form, otherwise short.
func Pick[T any](short, long T) T {
	if Enabled() {
		return long
	}
	return short
}

// Only skips a test in the short form. why says which other test covers its code, or how long it
// takes.
func Only(t testing.TB, why string) {
	t.Helper()
	if !Enabled() {
		needs.Skip(t, "the long form", Var+"=1", why)
	}
}

// SkipShort skips a test that is run with -short. why says how long it takes.
func SkipShort(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		needs.Skip(t, "time", "run it without -short", why)
	}
}
