//go:build cgo

package gloo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// A job of one process. The processes of larger jobs exchange their addresses by the Store of
// package coordination. The output is <nil> and true if Gloo is installed.
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
