package errlist_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/errlist"
)

func TestJoin(t *testing.T) {
	require.NoError(t, errlist.Join())
	require.NoError(t, errlist.Join(nil, nil))
	err := errlist.Join(fmt.Errorf("input \"x\": %w", io.EOF), nil, errors.New(`input "y": EOF`), errors.New(`output "y": EOF`))
	require.EqualError(t, err, "input \"x\": EOF (and 1 more like this)\noutput \"y\": EOF")
	require.ErrorIs(t, err, io.EOF)
}

func TestFold(t *testing.T) {
	for name, tc := range map[string]struct{ lines, want []string }{
		"names":      {[]string{`input "a/kernel": rank 2`, `input "b": rank 2`}, []string{`input "a/kernel": rank 2 (and 1 more like this)`}},
		"positions":  {[]string{"f.mlir:3:7: @main: stablehlo.add: bad", "f.mlir:14:2: @main: stablehlo.add: bad"}, []string{"f.mlir:3:7: @main: stablehlo.add: bad (and 1 more like this)"}},
		"shapes":     {[]string{"got tensor<4x8xf32>: no", "got tensor<16xf32>: no"}, []string{"got tensor<4x8xf32>: no (and 1 more like this)"}},
		"layouts":    {[]string{`"x": [{"a"}, {}] has no axis "a"`, `"y": [{}, {"a"}] has no axis "a"`}, []string{`"x": [{"a"}, {}] has no axis "a" (and 1 more like this)`}},
		"other axes": {[]string{`"x": no axis "a"`, `"x": no axis "b"`}, []string{`"x": no axis "a"`, `"x": no axis "b"`}},
		"none":       {nil, nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tc.want, errlist.Fold(tc.lines)) })
	}
}

func Example() {
	fmt.Println(errlist.Join(errors.New(`input "x": unknown axis "data"`), errors.New(`input "y": unknown axis "data"`)))
	// Output: input "x": unknown axis "data" (and 1 more like this)
}
