package callbacks

// This file tests the unexported templates of file names.

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// fill returns what Python's str.format returns; the errors of parseTemplate and fill name what is
// wrong in the template.
func TestTemplate(t *testing.T) {
	values := map[string]any{"epoch": 3, "batch": 120, "loss": 0.123456, "val_loss": 12.0, "big": 1.5e20}
	for _, tc := range []struct{ name, text, want, wantErr string }{
		{"none", "model.keras", "model.keras", ""},
		{"counter", "m_{epoch}.keras", "m_3.keras", ""},
		{"padded with zeros", "m_{epoch:02d}.keras", "m_03.keras", ""},
		{"padded with blanks", "m_{epoch:3d}.keras", "m_  3.keras", ""},
		{"longer than its width", "{batch:02d}", "120", ""},
		{"fixed point", "{epoch:02d}-{loss:.2f}.keras", "03-0.12.keras", ""},
		{"fixed point of a counter", "{epoch:.1f}", "3.0", ""},
		{"width and precision", "{loss:08.3f}", "0000.123", ""},
		{"scientific", "{loss:.2e}", "1.23e-01", ""},
		{"precision alone", "{loss:.3}", "0.123", ""},
		{"no decimals", "{val_loss:.0f}", "12", ""},
		{"braces", "{{epoch}}_{epoch}", "{epoch}_3", ""},
		{"not closed", "m_{epoch", "", `a "{" is not closed`},
		{"closes nothing", "m_epoch}", "", `a "}" closes nothing`},
		{"no name", "m_{:02d}", "", "the field {:02d} has no name"},
		{"positional", "m_{}", "", "the field {} has no name"},
		{"format", "m_{epoch:2x}", "", `the format "2x" of the field {epoch:2x} is not known`},
		{"unknown", "m_{epcoh}", "", `the unknown field {epcoh} (did you mean "epoch"?): want one of epoch, batch, big, loss, val_loss`},
		{"a loss is no integer", "m_{loss:d}", "", "writes loss as an integer"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tmpl, err := parseTemplate(tc.text)
			if err == nil {
				err = tmpl.check([]string{"big", "loss", "val_loss"}, []string{"epoch", "batch"})
			}
			if tc.wantErr != "" {
				require.ErrorContains(t, err, tc.wantErr)
				return
			}
			require.NoError(t, err)
			got, err := tmpl.fill(func(name string) (any, bool) { v, ok := values[name]; return v, ok })
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
		})
	}
}
