package pyregexp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/pyregexp"
)

// TestCompile requires that translated patterns match the texts that Python's re.search matches:
// \w, \d and \s know all of Unicode.
func TestCompile(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		want          bool
	}{
		{`^\w+$`, "größe_1", true},
		{`^\w+$`, "größe 1", false},
		{`^\W$`, "ß", false},
		{`^\W$`, "/", true},
		{`^\d+$`, "٤2", true},
		{`^\d+$`, "²", false},
		{`^\D$`, "٤", false},
		{`^[\w/]+$`, "größe/kernel", true},
		{`^[^\w]+$`, "ß", false},
		{`^[\W_]+$`, "_/-", true},
		{`^[\W_]+$`, "_ß", false},
		{`^[\D]$`, "٤", false},
		{`^a\sb$`, "a\u00a0b", true},
		{`^a\Sb$`, "a\u00a0b", false},
		{`^a\sb$`, "a\x1cb", true},
		{`kernel\Z`, "d1/kernel", true},
		{`^[]\d]+$`, "]1", true},
		{`^[^]\d]+$`, "]", false},
		{`^\\d$`, `\d`, true},
		{`dense_\d+/.*kernel`, "dense_12/kernel", true},
	} {
		re, err := pyregexp.Compile(tc.pattern)
		require.NoError(t, err, tc.pattern)
		require.Equal(t, tc.want, re.MatchString(tc.text), "%s on %q", tc.pattern, tc.text)
	}
	_, err := pyregexp.Compile(`d(?!1)`)
	require.ErrorContains(t, err, "no look-ahead")
}

func Example() {
	re, err := pyregexp.Compile(`couche_\w+`)
	fmt.Println(re.MatchString("couche_dernière"), err)
	// Output: true <nil>
}
