package rowmajor_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/rowmajor"
)

func ExampleCopyBox() {
	src := []byte("abcdefgh") // 2 rows of 4
	dst := []byte("......")   // 2 rows of 3
	rowmajor.CopyBox(dst, []int{2, 3}, []int{0, 1}, src, []int{2, 4}, []int{0, 2}, []int{2, 2}, 1)
	fmt.Printf("%s\n%s\n", dst[:3], dst[3:])
	// Output:
	// .cd
	// .gh
}

// TestCopyBox compares random boxes with a copy element by element, and their runs of bytes with a
// copy of the box alone.
func TestCopyBox(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		rank, elem := rng.IntN(5), []int{1, 2, 4, 8, 16}[rng.IntN(5)]
		random := func() (dims []int) {
			for range rank {
				dims = append(dims, 1+rng.IntN(4))
			}
			return dims
		}
		dstDims, srcDims := random(), random()
		box, dstStart, srcStart := make([]int, rank), make([]int, rank), make([]int, rank)
		for i := range box {
			box[i] = rng.IntN(min(dstDims[i], srcDims[i]) + 1)
			dstStart[i], srcStart[i] = rng.IntN(dstDims[i]-box[i]+1), rng.IntN(srcDims[i]-box[i]+1)
		}
		bytesOf := func(dims []int) []byte {
			n := elem
			for _, d := range dims {
				n *= d
			}
			b := make([]byte, n)
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			return b
		}
		src, got := bytesOf(srcDims), bytesOf(dstDims)
		want := append([]byte(nil), got...)
		rowmajor.Each(box, func(index []int) {
			d := rowmajor.Offset(index, rowmajor.Strides(dstDims, elem)) + rowmajor.Offset(dstStart, rowmajor.Strides(dstDims, elem))
			s := rowmajor.Offset(index, rowmajor.Strides(srcDims, elem)) + rowmajor.Offset(srcStart, rowmajor.Strides(srcDims, elem))
			copy(want[d:d+elem], src[s:s+elem])
		})
		rowmajor.CopyBox(got, dstDims, dstStart, src, srcDims, srcStart, box, elem)
		require.Equal(t, want, got, "box %v of %v at %v into %v at %v", box, srcDims, srcStart, dstDims, dstStart)

		alone := bytesOf(box)
		rowmajor.CopyBox(alone, box, nil, src, srcDims, srcStart, box, elem)
		runs := []byte{}
		for at, n := range rowmajor.Runs(srcDims, srcStart, box, elem) {
			runs = append(runs, src[at:at+int64(n)]...)
		}
		require.Equal(t, alone, runs, "box %v of %v at %v", box, srcDims, srcStart)
	}
}

// CopyStrided copies with the strides of the source: strides of 0 repeat elements, and negative
// ones reverse them.
func TestCopyStrided(t *testing.T) {
	src := []byte("abcd")
	for _, tc := range []struct {
		name   string
		at     int
		stride []int
		want   string
	}{
		{"transposed", 0, []int{1, 2}, "acbd"},
		{"repeated", 0, []int{0, 1}, "abab"},
		{"reversed", 3, []int{-2, -1}, "dcba"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dst := make([]byte, 4)
			rowmajor.CopyStrided(dst, 0, []int{2, 1}, src, tc.at, tc.stride, []int{2, 2}, 1)
			require.Equal(t, tc.want, string(dst))
		})
	}
}

func TestEachEmpty(t *testing.T) {
	rowmajor.Each([]int{2, 0}, func([]int) { t.Fatal("an empty box has no index") })
}
