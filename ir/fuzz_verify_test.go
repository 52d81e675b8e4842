package ir_test

// This file checks that the verifier does not panic, whatever the text, and that it accepts the
// copy of each module that it accepts.

import (
	"testing"

	"github.com/gospmd/gospmd/ir"
)

func FuzzVerify(f *testing.F) {
	for _, tc := range readShapeRules(f).Cases {
		f.Add(tc.Text)
	}
	f.Add(whileText)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ir.Parse(text)
		if err != nil {
			return
		}
		if err := ir.Verify(m); err != nil {
			_ = err.Error()
			return
		}
		if err := ir.Verify(m.Clone()); err != nil {
			t.Fatalf("a copy of a valid module is not valid: %v", err)
		}
	})
}
