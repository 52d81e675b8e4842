package mesh_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/mesh"
)

// Eight devices in two rows of four: which devices form a group along each axis?
func Example() {
	m, err := mesh.New([]int{2, 4}, []string{"data", "model"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m, "has", m.Size(), "devices")
	fmt.Println("position 6 is at", m.Coordinates(6))
	fmt.Println("along data: ", m.ReplicaGroups(mesh.FullAxes("data")))
	fmt.Println("along model:", m.ReplicaGroups(mesh.FullAxes("model")))
	half := mesh.SubAxisRef("model", 1, 2)
	fmt.Println("along "+half.String()+":", m.ReplicaGroups([]mesh.AxisRef{half}))
	// Output:
	// data=2,model=4 has 8 devices
	// position 6 is at [1 2]
	// along data:  [[0 4] [1 5] [2 6] [3 7]]
	// along model: [[0 1 2 3] [4 5 6 7]]
	// along model:(1)2: [[0 2] [1 3] [4 6] [5 7]]
}
