package texttable_test

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/texttable"
)

func Example() {
	var b strings.Builder
	w := texttable.New(&b)
	for _, n := range []int{0, -999, 1234567, -123456} {
		fmt.Fprintf(w, "%s\t%s\t\n", texttable.GroupDigits(n), strings.Repeat("x", n&3))
	}
	w.Flush()
	fmt.Print(texttable.Trim(b.String()))
	// Output:
	// 0
	// -999       x
	// 1,234,567  xxx
	// -123,456
}
