package lapack

// This file implements Check, which compares a custom call with its routine.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// Is reports whether a target of custom calls has the form of LAPACK's: lapack_ and the name of a
// routine. Find need not know the routine.
func Is(target string) bool {
	return strings.HasPrefix(target, "lapack_") || target == perturbed
}

// perturbed is the target of jaxlib's call for tridiagonal systems with perturb_singular, which
// makes singular systems solvable.
const perturbed = "tridiagonal_solve_perturbed_ffi"

// Check returns an error if a call of LAPACK cannot be computed: its routine is not in the table,
// or it has operands, results, attributes or layouts that the routine does not have.
func Check(op *ir.Op) error {
	target := op.CustomCall().CallTargetName()
	if r, ok := Find(target); ok {
		return r.check(op)
	}
	if target == perturbed {
		return fmt.Errorf("%s is not known here: call jax.lax.linalg.tridiagonal_solve without perturb_singular", target)
	}
	return fmt.Errorf("the routine %s is not known here: those that jax %s calls on the CPU are; export the program with that version, or compute the value by ordinary ops", target, jaxVersion)
}

// jaxVersion is the version of JAX whose calls the table holds.
const jaxVersion = "0.10"

func (r *Routine) check(op *ir.Op) error {
	operands, results := r.signature()
	s := &sizes{batch: batchDims(op.Operands)}
	for _, side := range []struct {
		what   string
		words  []string
		values []*ir.Value
	}{{"operand", operands, op.Operands}, {"result", results, op.Results}} {
		if len(side.values) != len(side.words) {
			return fmt.Errorf("%s has %d %ss, LAPACK's has %d", r.Target, len(side.values), side.what, len(side.words))
		}
		for i, v := range side.values {
			if err := s.match(side.words[i], r.DType, v.Type); err != nil {
				return fmt.Errorf("%s: %s %d is %s: %w", r.Target, side.what, i, v.Type, err)
			}
		}
	}
	if err := r.checkSizes(s); err != nil {
		return fmt.Errorf("%s: %w", r.Target, err)
	}
	attrs := Attrs(op)
	for _, name := range strings.Fields(r.def.attrs) {
		if _, ok := attrs[name]; !ok {
			return fmt.Errorf("%s lacks the attribute %s in mhlo.backend_config", r.Target, name)
		}
	}
	if sort, ok := attrs["sort"]; ok && sort != 'N' {
		return fmt.Errorf("%s: eigenvalues cannot be sorted here: leave sort out", r.Target)
	}
	return checkLayouts(op)
}

// sizes are the dimensions of a call's batch and, for each letter of the routine's signature, the
// size that the tensors matched so far give to the dimensions with that letter.
type sizes struct {
	batch []int
	// by letter: the size of the dimension plus 1; 0 if no tensor has shown the size yet
	of [128]int
}

// BatchDims returns the batch dimensions of a call, which come before the dimensions of its
// matrices, if all operands and results have the same ones; otherwise none.
func BatchDims(op *ir.Op) []int {
	batch := batchDims(op.Operands)
	for _, vs := range [][]*ir.Value{op.Operands, op.Results} {
		for _, v := range vs {
			if v.Type.Rank() < len(batch) || !slices.Equal(v.Type.Dims[:len(batch)], batch) {
				return nil
			}
		}
	}
	return batch
}

// batchDims returns the dimensions before those of the matrices, those of the first value with the
// largest rank; nil if no value has two dimensions.
func batchDims(vs []*ir.Value) []int {
	for _, v := range vs {
		if rank := v.Type.Rank(); rank == maxRank(vs) && rank >= 2 {
			return v.Type.Dims[:rank-2]
		}
	}
	return nil
}

func maxRank(vs []*ir.Value) int {
	out := 0
	for _, v := range vs {
		out = max(out, v.Type.Rank())
	}
	return out
}

// match returns an error if the type t does not match word, a word of the signature of a routine
// for dtype. It stores in s the sizes of letters that have none yet.
func (s *sizes) match(word string, dtype dtypes.DType, t ir.Type) error {
	if want := elementType(word[0], dtype); t.DType != want {
		return fmt.Errorf("want elements of %s", ir.DTypeText(want))
	}
	if t.Rank() != len(s.batch)+len(word)-1 || !slices.Equal(t.Dims[:len(s.batch)], s.batch) {
		return fmt.Errorf("want %d dimensions, after those of the batch, %v", len(word)-1, s.batch)
	}
	for i, letter := range []byte(word[1:]) {
		got := t.Dims[len(s.batch)+i]
		want := s.of[letter] - 1
		switch {
		case letter == 'k':
			want = min(s.of['m'], s.of['n']) - 1
		case letter == 'h':
			want = max(s.of['n']-2, 0)
		case s.of[letter] == 0:
			s.of[letter], want = got+1, got
		}
		if got != want {
			return fmt.Errorf("want the size %d in place of %d", want, got)
		}
	}
	return nil
}

// elementType returns the type that a letter of a signature stands for, in a routine for elements
// of type dtype: R is the real and C the complex type of the same precision.
func elementType(letter byte, dtype dtypes.DType) dtypes.DType {
	switch letter {
	case 'R':
		switch dtype {
		case dtypes.Complex64:
			return dtypes.Float32
		case dtypes.Complex128:
			return dtypes.Float64
		}
	case 'C':
		switch dtype {
		case dtypes.Float32:
			return dtypes.Complex64
		case dtypes.Float64:
			return dtypes.Complex128
		}
	case 'I':
		return dtypes.Int32
	}
	return dtype
}

// checkSizes returns an error if the sizes, which fit the letters, do not fit the routine: too many
// columns or reflections for orgqr, or other numbers of singular vectors than all or the fewest.
func (r *Routine) checkSizes(s *sizes) error {
	size := func(letter byte) int { return s.of[letter] - 1 }
	m, n, k := size('m'), size('n'), min(size('m'), size('n'))
	switch r.def.real {
	case "orgqr":
		if n > m || size('r') > n {
			return fmt.Errorf("of %d reflections of %d elements there are no %d columns", size('r'), m, n)
		}
	case "gesdd", "gesvd":
		if u, w := size('u'), size('w'); (u != m || w != n) && (u != k || w != k) {
			return fmt.Errorf("%d left and %d right singular vectors of a matrix of %d by %d: want all, or %d of each", u, w, m, n, k)
		}
	}
	return nil
}

// checkLayouts returns an error for layouts that LAPACK does not have. LAPACK stores matrices in
// column-major order, and other tensors in row-major order. This is also the default if no layouts
// are stated.
func checkLayouts(op *ir.Op) error {
	operands, results := Layouts(op)
	for _, side := range []struct {
		name string
		want ir.Array
	}{{"operand_layouts", operands}, {"result_layouts", results}} {
		got, ok := op.Attrs.Get(side.name).(ir.Array)
		if !ok {
			continue
		}
		same := slices.EqualFunc(got, side.want, func(a, b ir.Attr) bool { return fmt.Sprint(dimList(a)) == fmt.Sprint(dimList(b)) })
		if !same {
			return fmt.Errorf("%s of %s are %v: LAPACK's are %v", side.name, op.FullName(), got, side.want)
		}
	}
	return nil
}

var number = regexp.MustCompile(`\d+`)

// dimList returns the dimensions in a layout: dense<[0, 1]> : tensor<2xindex>.
func dimList(a ir.Attr) []string {
	text, _ := a.(ir.Raw)
	literal, _, _ := strings.Cut(string(text), ":")
	return number.FindAllString(literal, -1)
}

// Layouts returns the layouts that LAPACK has for the operands and results of a
// call, as the attributes operand_layouts and result_layouts state them.
func Layouts(op *ir.Op) (operands, results ir.Array) {
	rank := maxRank(op.Operands)
	return layoutsOf(op.Operands, rank), layoutsOf(op.Results, rank)
}

// layoutsOf returns the layout of each value: its dimensions from minor to major. Tensors of the
// given rank, if it is at least 2, are batches of matrices, in column-major order; others are in
// row-major order.
func layoutsOf(vs []*ir.Value, rank int) (out ir.Array) {
	for _, v := range vs {
		n := v.Type.Rank()
		dims := make([]string, n)
		for i := range dims {
			dims[i] = strconv.Itoa(n - 1 - i)
		}
		if n == rank && n >= 2 {
			dims[0], dims[1] = dims[1], dims[0]
		}
		list := ""
		if n > 0 {
			list = "[" + strings.Join(dims, ", ") + "]"
		}
		out = append(out, ir.Raw(fmt.Sprintf("dense<%s> : tensor<%dxindex>", list, n)))
	}
	return out
}

// Attrs returns the integers and booleans in mhlo.backend_config of op by name; true is 1 and false
// 0. Other values are left out.
func Attrs(op *ir.Op) map[string]int64 {
	out := map[string]int64{}
	config, _ := op.Attrs.Get("mhlo.backend_config").(ir.Dict)
	for _, a := range config {
		switch v := a.Value.(type) {
		case ir.Int:
			out[a.Name] = int64(v)
		case ir.Int32:
			out[a.Name] = int64(v)
		case ir.Bool:
			if out[a.Name] = 0; v {
				out[a.Name] = 1
			}
		case ir.Raw: // 76 : ui8
			literal, _, _ := strings.Cut(string(v), " ")
			if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
				out[a.Name] = n
			}
		}
	}
	return out
}
