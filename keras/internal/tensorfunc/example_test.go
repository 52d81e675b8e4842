package tensorfunc_test

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/internal/tensorfunc"
)

// Penalty is a function of a tensor, as a package such as regularizers defines one for its users.
type Penalty struct{ of tensorfunc.Func }

// scaled is a class of penalties: the tensor times Factor, a positive number, 0.5 by default.
type scaled struct {
	Factor float64 `argument:"factor" default:"0.5" want:"positive"`
}

func (s *scaled) Call(x *graph.Node) *graph.Node { return graph.MulScalar(x, s.Factor) }

var table = tensorfunc.Table[Penalty]{
	Kind: "penalty", Example: "scaled",
	Classes: []tensorfunc.Class{{Name: "Scaled", Alias: "scaled", New: func() tensorfunc.Options { return &scaled{} }}},
	Wrap:    func(f tensorfunc.Func) *Penalty { return &Penalty{f} },
	Unwrap:  func(p *Penalty) *tensorfunc.Func { return &p.of },
}

func Example() {
	p, err := table.Get("scaled")
	class, config := p.of.Config()
	fmt.Println(class, config, err)
	_, err = table.Get(table.Make("Scaled", option.Give("Factor", -1.0)))
	fmt.Println(err)
	_, err = table.Get("scale")
	fmt.Println(err)
	// Output:
	// Scaled map[factor:0.5] <nil>
	// Scaled: Factor: got -1, want a positive number
	// unknown penalty "scale": want scaled, or a tensorfunc_test.Penalty
}
