package lapack_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/lapack"
)

// Example computes the Cholesky factor of a matrix of two by two, by rows.
func Example() {
	matrix := func(v ...float64) lapack.Buffer {
		var data []byte
		for _, x := range v {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
		return lapack.Buffer{DType: dtypes.Float64, Dims: []int{2, 2}, Data: data}
	}
	potrf, _ := lapack.Find("lapack_dpotrf_ffi")
	factor, info := matrix(0, 0, 0, 0), lapack.Buffer{DType: dtypes.Int32, Data: make([]byte, 4)}
	err := potrf.Run(map[string]int64{"uplo": 'L'}, []lapack.Buffer{matrix(4, 2, 2, 5)}, []lapack.Buffer{factor, info})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 4 {
		fmt.Println(math.Float64frombits(binary.LittleEndian.Uint64(factor.Data[8*i:])))
	}
	// Output:
	// 2
	// 2
	// 1
	// 2
}
