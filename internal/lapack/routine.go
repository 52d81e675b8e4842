package lapack

// This file holds the table of routines.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// Routine is a routine of LAPACK for one element type.
type Routine struct {
	Target string       // of the custom call: "lapack_sgetrf_ffi"
	DType  dtypes.DType // element type of the matrices
	name   string       // without the letter of the type: "getrf"
	def    *definition
}

// definition is a row of the table.
type definition struct {
	real, complex string // the names, without the letter of the type
	what          string // what it computes
	// operands and results are the signature. It has a word for each tensor: a letter for the
	// element type, then a letter for the size of each dimension. T is the routine's type, R its
	// real type, C its complex type, I is i32. k is the smaller one of m and n, and h is n-1. Other
	// letters stand for any size.
	operands, results string
	// the words of the results of the complex routine, if they differ from those of the real one
	complexResults string
	attrs          string // the attributes that it takes
	iterates       bool   // it iterates, and may not converge if a number is not finite
	runReal        func(c *item)
	runComplex     func(c *item)
}

// table holds the routines that jaxlib registers for the CPU. init fills it, because its functions
// refer to the table.
var table = []definition{
	{real: "potrf", complex: "potrf", what: "Cholesky factor", attrs: "uplo", operands: "Tnn", results: "Tnn I", runReal: potrf, runComplex: complexPotrf},
	{real: "getrf", complex: "getrf", what: "LU factors with pivots", operands: "Tmn", results: "Tmn Ik I", runReal: getrf, runComplex: complexGetrf},
	{real: "trsm", complex: "trsm", what: "triangular systems", attrs: "side uplo trans_x diag", operands: "Taa Tmn", results: "Tmn", runReal: trsm, runComplex: complexTrsm},
	{real: "gtsv", complex: "gtsv", what: "tridiagonal systems", operands: "Tm Tm Tm Tmn", results: "Tm Tm Tm Tmn I", runReal: gtsv, runComplex: complexGtsv},
	{real: "geqrf", complex: "geqrf", what: "QR factors as reflections", operands: "Tmn", results: "Tmn Tk", runReal: geqrf, runComplex: complexGeqrf},
	{real: "geqp3", complex: "geqp3", what: "QR factors with pivots", operands: "Tmn In", results: "Tmn In Tk", runReal: geqp3, runComplex: complexGeqp3},
	{real: "orgqr", complex: "ungqr", what: "Q of a QR", operands: "Tmn Tr", results: "Tmn", runReal: orgqr, runComplex: complexUngqr},
	{real: "ormqr", complex: "unmqr", what: "Q of a QR times a matrix", attrs: "left transpose", operands: "Tab Tr Tmn", results: "Tmn", runReal: ormqr, runComplex: complexUnmqr},
	{real: "syevd", complex: "heevd", what: "symmetric eigenvalue problem", attrs: "mode uplo", iterates: true, operands: "Tnn", results: "Tnn Rn I", runReal: syevd, runComplex: complexHeevd},
	{real: "sytrd", complex: "hetrd", what: "symmetric matrix made tridiagonal", attrs: "uplo", operands: "Tnn", results: "Tnn Rn Rh Th I", runReal: sytrd, runComplex: complexHetrd},
	{real: "gesdd", complex: "gesdd", what: "singular values and vectors", attrs: "mode", iterates: true, operands: "Tmn", results: "Tmn Rk Tmu Twn I", runReal: gesvd, runComplex: complexGesvd},
	{real: "gesvd", complex: "gesvd", what: "singular values and vectors", attrs: "mode", iterates: true, operands: "Tmn", results: "Tmn Rk Tmu Twn I", runReal: gesvd, runComplex: complexGesvd},
	{real: "geev", complex: "geev", what: "eigenvalue problem", attrs: "compute_left compute_right", iterates: true, operands: "Tnn", results: "Rn Rn Cnn Cnn I", complexResults: "Tn Cnn Cnn I", runReal: geev, runComplex: complexGeev},
	{real: "gees", complex: "gees", what: "Schur form", attrs: "mode sort", iterates: true, operands: "Tnn", results: "Tnn Tnn Rn Rn I I", complexResults: "Tnn Tnn Tn I I", runReal: gees, runComplex: complexGees},
	{real: "gehrd", complex: "gehrd", what: "matrix made Hessenberg", attrs: "low high", operands: "Tnn", results: "Tnn Th I", runReal: gehrd, runComplex: complexGehrd},
}

// letters maps the first letter in the names of LAPACK's routines to their element type.
var letters = map[byte]dtypes.DType{
	's': dtypes.Float32, 'd': dtypes.Float64, 'c': dtypes.Complex64, 'z': dtypes.Complex128,
}

// routines holds every Routine by the target of its custom calls.
var routines = map[string]*Routine{}

func init() {
	for i := range table {
		d := &table[i]
		for letter, dtype := range letters {
			name := d.real
			if dtype.IsComplex() {
				name = d.complex
			}
			r := &Routine{Target: fmt.Sprintf("lapack_%c%s_ffi", letter, name), DType: dtype, name: name, def: d}
			routines[r.Target] = r
		}
	}
}

// Find returns the routine for a target of custom calls; false if there is none.
func Find(target string) (*Routine, bool) {
	r, ok := routines[target]
	return r, ok
}

// All returns the routines, ordered by target.
func All() []*Routine {
	out := make([]*Routine, 0, len(routines))
	for _, r := range routines {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *Routine) int { return cmp.Compare(a.Target, b.Target) })
	return out
}

// Table lists the routines in Markdown, and who computes each.
func Table() string {
	var b strings.Builder
	b.WriteString("| f32, f64 (gonum) | c64, c128 | |\n|---|---|---|\n")
	for _, d := range table {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", d.real, d.complex, d.what)
	}
	return b.String()
}

// signature returns the words that describe the operands, and those that describe the results.
func (r *Routine) signature() (operands, results []string) {
	out := r.def.results
	if r.DType.IsComplex() && r.def.complexResults != "" {
		out = r.def.complexResults
	}
	return strings.Fields(r.def.operands), strings.Fields(out)
}
