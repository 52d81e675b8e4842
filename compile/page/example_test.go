package page_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/ir"
)

// Example writes the page for a product that is sharded over two devices.
func Example() {
	m, err := ir.Parse(`sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}`)
	if err != nil {
		log.Fatal(err)
	}
	e, err := compile.Explain(context.Background(), m, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	p, err := page.New(e, nil)
	if err != nil {
		log.Fatal(err)
	}
	var html bytes.Buffer
	if err := p.Write(&html); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Mesh.Axes[0].Name, len(p.Ops.Kind), "ops", strings.HasPrefix(html.String(), "<!DOCTYPE html>"))
	// Output: x 2 ops true
}
