package layout_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// A rule for all kernels splits their columns over four devices; 10 columns
// give three each, and the last device one.
func Example() {
	m := layout.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	if err := m.Set(".*kernel", layout.None, "model"); err != nil {
		log.Fatal(err)
	}
	key, l, err := m.Match("d2/kernel")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("rule", key, "gives", l)
	s, err := l.Sharding(2)
	if err != nil {
		log.Fatal(err)
	}
	shape := []int{200, 10}
	fmt.Println(s, "stored as", s.LocalShape(shape))
	fmt.Println("device 3 holds", s.ShardRanges(shape, 3))
	// Output:
	// rule .*kernel gives (none, model)
	// [{}, {"model"}] stored as [200 3]
	// device 3 holds [{0 200} {9 10}]
}
