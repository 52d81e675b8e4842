package option_test

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/option"
)

// sized are options that several constructors take.
type sized struct {
	Size option.Ints `option:"size" default:"2" want:"sizes"`
}

// pooling is a struct of options that embeds another one, for these tests.
type pooling struct {
	Units int `argument:"units" want:"size"`
	sized
	Padding string `option:"padding" default:"valid" oneof:"valid same"`
}

func ExampleAssign() {
	set := func(given ...option.Given) {
		p := &pooling{}
		option.SetDefaults(p)
		fmt.Println(option.Assign("Pooling", given, p), option.Config(p))
	}
	set(option.Give("Units", 4))
	set(option.Give("Padding", "full"))
	set(option.Give("Seed", 7))
	given, err := option.FromConfig(map[string]any{"size": []any{3.0, 5.0}}, option.Give, &pooling{})
	fmt.Println(given, err)
	// Output:
	// <nil> map[padding:valid size:2 units:4]
	// Pooling: Padding: got "full", want one of ["valid" "same"] map[padding:valid size:2 units:0]
	// Pooling takes no option Seed: it takes Size, Padding map[padding:valid size:2 units:0]
	// [{Size [3 5]}] <nil>
}
