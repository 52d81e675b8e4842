package autoname_test

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/autoname"
)

func Example() {
	autoname.Clear()
	fmt.Println(autoname.Next("dense"), autoname.Next("dense"), autoname.Next("auc"))
	// Output: dense dense_1 auc
}
