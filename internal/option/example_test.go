package option_test

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/option"
)

type window struct{ width, height int }

func width(n int) option.Option[window] {
	return option.New("Width", func(w *window) { w.width = n })
}

func height(n int) option.Option[window] {
	return option.New("Height", func(w *window) { w.height = n })
}

func Example() {
	var w window
	fmt.Println(option.Apply("Line", &w, []option.Option[window]{width(3)}, "Width"), w)
	fmt.Println(option.Apply("Line", &w, []option.Option[window]{height(3)}, "Width"))
	// Output:
	// <nil> {3 0}
	// Line takes no option Height: it takes Width
}
