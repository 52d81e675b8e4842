package random_test

// This file reads JAX's and Keras' numbers (benchmarks/peers/random_reference.py)
// and compares the numbers of the host and of traced functions with them.

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
)

type reference struct {
	Blocks []struct {
		Key            random.Key
		Counter, Block [2]uint32
	}
	Derived []struct {
		Key    random.Key
		Split  []random.Key
		FoldIn map[uint32]random.Key `json:"fold_in"`
	}
	Seeds struct {
		Ordered, Unordered []random.Key
		Default            []struct {
			Seed  uint32
			Drawn []int
		}
		Eager []string `json:"eager_normal_812"`
	}
	Betas []struct {
		Key     random.Key
		Alpha   float32
		Numbers []float32
	}
	Permutations []struct{ Order []int32 }
	Cases        []referenceCase
}

type referenceCase struct {
	Op     string
	Key    random.Key
	Shape  []int
	DType  string
	Params struct {
		Low, High, Mean, Stddev, P float64
	}
	Hex    string // all elements, or the first ones if SHA256 is set
	SHA256 string
}

func readReference(t testing.TB) reference {
	t.Helper()
	r := tracetest.ReadJSON[reference](t, "testdata/reference.json")
	require.NotEmpty(t, r.Blocks)
	require.NotEmpty(t, r.Cases)
	return r
}

func (c referenceCase) String() string {
	return fmt.Sprintf("%s %s%v key %d %+v", c.Op, c.DType, c.Shape, c.Key, c.Params)
}

func (c referenceCase) dtype(t *testing.T) dtypes.DType {
	d, ok := dtypes.MapOfNames[c.DType]
	require.True(t, ok, c.DType)
	return d
}

// host returns the numbers of the case, computed by Key's Fill methods: a flat slice of all
// elements.
func (c referenceCase) host(t *testing.T) any {
	all := fullRanges(c.Shape)
	dst := dtypes.MakeAnySlice(c.dtype(t), size(c.Shape))
	p := c.Params
	var err error
	switch c.Op {
	case "bits":
		err = c.Key.FillBits(dst, c.Shape, all)
	case "uniform":
		err = c.Key.FillUniform(dst, c.Shape, all, p.Low, p.High)
	case "normal":
		err = c.Key.FillNormal(dst, c.Shape, all, p.Mean, p.Stddev)
	case "truncated_normal":
		err = c.Key.FillTruncatedNormal(dst, c.Shape, all, p.Mean, p.Stddev)
	case "bernoulli":
		err = c.Key.FillBernoulli(dst.([]bool), c.Shape, all, p.P)
	case "randint":
		err = c.Key.FillRandInt(dst, c.Shape, all, int64(p.Low), int64(p.High))
	default:
		t.Fatalf("unknown op %q", c.Op)
	}
	require.NoError(t, err)
	return dst
}

// traced returns the node that computes the numbers of the case by TracedKey's methods from the
// key's node.
func (c referenceCase) traced(t *testing.T, key *graph.Node) *graph.Node {
	k := random.Trace(key)
	d, p := c.dtype(t), c.Params
	switch c.Op {
	case "bits":
		return k.Bits(d, c.Shape...)
	case "uniform":
		return k.Uniform(d, p.Low, p.High, c.Shape...)
	case "normal":
		return k.Normal(d, p.Mean, p.Stddev, c.Shape...)
	case "truncated_normal":
		return k.TruncatedNormal(d, p.Mean, p.Stddev, c.Shape...)
	case "bernoulli":
		return k.Bernoulli(p.P, c.Shape...)
	case "randint":
		return k.RandInt(d, int64(p.Low), int64(p.High), c.Shape...)
	}
	t.Fatalf("unknown op %q", c.Op)
	return nil
}

func (c referenceCase) isNormal() bool { return c.Op == "normal" || c.Op == "truncated_normal" }

// compare fails the test if got, all elements, differs from the reference by more than within. The
// reference may hold only the first elements: then, if within is exact, it compares the hash of
// all.
func (c referenceCase) compare(t *testing.T, got any, within tolerance) {
	t.Helper()
	want := parseHex(t, c.dtype(t), c.Hex)
	n := reflect.ValueOf(want).Len()
	within.check(t, prefix(got, n), want)
	if c.SHA256 == "" {
		require.Equal(t, size(c.Shape), n)
	} else if within == exact {
		require.Equal(t, c.SHA256, hash(t, got), "later elements differ")
	}
}

// tolerance is how far an element may be off: by ulps units in the last place, or, of a float64, by
// absolute. The zero value allows no difference.
type tolerance struct {
	ulps     int64
	absolute float64
}

var exact = tolerance{}

func (tol tolerance) check(t *testing.T, got, want any) {
	t.Helper()
	if tol == exact {
		require.Equal(t, want, got)
		return
	}
	require.IsType(t, want, got)
	g, w := ordered(got), ordered(want)
	require.Len(t, g, len(w))
	for i := range w {
		if d := max(g[i]-w[i], w[i]-g[i]); d > tol.ulps {
			g, w := reflect.ValueOf(got).Index(i).Interface(), reflect.ValueOf(want).Index(i).Interface()
			g64, ok := g.(float64)
			require.True(t, ok && math.Abs(g64-w.(float64)) <= tol.absolute,
				"element %d: got %v, want %v, %d units in the last place off", i, g, w, d)
		}
	}
}

func TestHostEqualsJAX(t *testing.T) {
	for _, c := range readReference(t).Cases {
		within := exact
		if c.DType == "float64" && c.isNormal() {
			within = tolerance{absolute: 2e-15} // JAX's 64-bit logarithm is the C library's
		}
		t.Run(c.String(), func(t *testing.T) { c.compare(t, c.host(t), within) })
	}
}

func TestBlocksEqualJAX(t *testing.T) {
	for _, b := range readReference(t).Blocks {
		var got [2]uint32
		got[0], got[1] = b.Key.Block(b.Counter[0], b.Counter[1])
		require.Equal(t, b.Block, got, "key %d, counter %d", b.Key, b.Counter)
	}
}

func TestDerivedKeysEqualJAX(t *testing.T) {
	for _, d := range readReference(t).Derived {
		require.Equal(t, d.Split, d.Key.Split(len(d.Split)))
		for data, want := range d.FoldIn {
			require.Equal(t, want, d.Key.FoldIn(data))
		}
	}
}

func TestSeedsEqualKeras(t *testing.T) {
	seeds := readReference(t).Seeds
	g := random.NewSeedGenerator(15)
	for _, want := range seeds.Ordered {
		got, err := g.NextKey()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, d := range seeds.Default {
		random.SetRandomSeed(d.Seed)
		for _, want := range d.Drawn {
			require.Equal(t, want, random.MakeDefaultSeed(), "after SetRandomSeed(%d)", d.Seed)
		}
	}
	// Without a seed, keys come from the global generator, in the order of its use.
	random.SetRandomSeed(812)
	for _, want := range seeds.Eager {
		x, err := random.Normal([]int{3}, nil)
		require.NoError(t, err)
		require.Equal(t, parseHex(t, dtypes.Float32, want), flat(t, x))
	}
}

func fullRanges(shape []int) []layout.Range {
	all := make([]layout.Range, len(shape))
	for i, d := range shape {
		all[i] = layout.Range{Start: 0, Limit: d}
	}
	return all
}

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func prefix(slice any, n int) any { return reflect.ValueOf(slice).Slice(0, n).Interface() }

// parseHex returns the elements that text holds in the form of the reference file, hexadecimal
// digits with the most significant first, as a slice of the Go type of dtype.
func parseHex(t *testing.T, dtype dtypes.DType, text string) any {
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	width := max(1, dtype.Bits()/8)
	for part := range slices.Chunk(b, width) {
		slices.Reverse(part) // to little-endian
	}
	out := dtypes.MakeAnySlice(dtype, len(b)/width)
	_, err = binary.Decode(b, binary.LittleEndian, out)
	require.NoError(t, err)
	return out
}

func hash(t *testing.T, slice any) string {
	var b bytes.Buffer
	require.NoError(t, binary.Write(&b, binary.LittleEndian, slice))
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}

// ordered returns an integer for each float of a slice. The integers have the order of the floats,
// and those of adjacent floats are adjacent.
func ordered(slice any) []int64 {
	v := reflect.ValueOf(slice)
	out := make([]int64, v.Len())
	fold := func(bits uint64, width int) int64 {
		if magnitude := int64(bits &^ (1 << (width - 1))); bits>>(width-1) == 0 {
			return magnitude
		} else {
			return -magnitude
		}
	}
	for i := range out {
		switch x := v.Index(i).Interface().(type) {
		case float32:
			out[i] = fold(uint64(math.Float32bits(x)), 32)
		case float64:
			out[i] = fold(math.Float64bits(x), 64)
		case float16.Float16:
			out[i] = fold(uint64(x.Bits()), 16)
		case bfloat16.BFloat16:
			out[i] = fold(uint64(x.Bits()), 16)
		default:
			panic(fmt.Sprintf("BUG: a tolerance for %T", x))
		}
	}
	return out
}
