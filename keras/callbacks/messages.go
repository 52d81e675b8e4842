package callbacks

// This file prints what callbacks tell.

import (
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/keras"
)

// message prints a line, in the format, to w, os.Stdout if that is nil. In a job only process 0 of
// m prints.
func message(m *keras.Model, w io.Writer, format string, args ...any) {
	if !isChief(m) {
		return
	}
	if w == nil {
		w = os.Stdout
	}
	fmt.Fprintf(w, format+"\n", args...)
}
