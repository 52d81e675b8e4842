//go:build cgo

package gloo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// A job of one process sums a float32 by AllReduce: the first line ends with <nil> if Gloo is
// installed. AllReduce refuses booleans, with errors.ErrUnsupported, and leaves them to package
// collective: the second line ends with true. The processes of larger jobs exchange their addresses
// by the Store of package coordination.
func Example() {
	t, err := gloo.Open(context.Background(), gloo.Options{Rank: 0, Size: 1, Host: "localhost", Store: transporttest.Files(os.TempDir())})
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close(nil)
	const tag = 1
	err = t.AllReduce(context.Background(), tag, []int{0}, make([]byte, 4), dtypes.Float32, ir.OpAdd)
	fmt.Println("sum of f32:", err)
	err = t.AllReduce(context.Background(), tag, []int{0}, make([]byte, 1), dtypes.Bool, ir.OpOr)
	fmt.Println("or of booleans is left to package collective:", errors.Is(err, errors.ErrUnsupported))
}
