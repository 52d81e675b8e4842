package ir_test

// This file fuzzes the parser: no text makes it or the verifier panic, and the text of a parsed
// module can be parsed again, to a module with the same text.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func FuzzParse(f *testing.F) {
	for _, tc := range parseErrors {
		f.Add(tc.text)
	}
	const long = 8 << 10 // longer texts slow down the search for new paths
	for _, a := range textFiles(f) {
		for _, file := range a.Files {
			if len(file.Data) < long {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ir.Parse(text)
		if err != nil {
			return
		}
		_ = ir.Verify(m) // must not panic either
		for _, opts := range []ir.PrintOptions{{Locations: true}, {Generic: true, Locations: true}} {
			once := printModule(t, m, opts)
			again, err := ir.Parse(once)
			require.NoError(t, err, "%s", once)
			require.Equal(t, once, printModule(t, again, opts))
		}
	})
}
