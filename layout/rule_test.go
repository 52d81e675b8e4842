package layout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
)

func TestRule(t *testing.T) {
	for _, tc := range []struct {
		text       string
		want       layout.Rule
		flag, line string
	}{
		{"d1/kernel=-,model", layout.Rule{Key: "d1/kernel", Axes: []string{"", "model"}},
			`-layout 'd1/kernel=-,model'`, `layouts.Override("d1/kernel", "", "model")`},
		{`p\['w'\]=data+model`, layout.Rule{Key: `p\['w'\]`, Axes: []string{"data+model"}},
			`-layout 'p\['\''w'\''\]=data+model'`, `layouts.Override("p\\['w'\\]", "data+model")`},
		{"a=b=-", layout.Rule{Key: "a=b", Axes: []string{""}}, `-layout 'a=b=-'`, `layouts.Override("a=b", "")`},
	} {
		t.Run(tc.text, func(t *testing.T) {
			r, err := layout.ParseRule(tc.text)
			require.NoError(t, err)
			require.Equal(t, tc.want, r)
			require.Equal(t, tc.text, r.String())
			require.Equal(t, tc.flag, r.Flag())
			require.Equal(t, tc.line, r.Line())
		})
	}
	_, err := layout.ParseRule("d1/kernel")
	require.ErrorContains(t, err, "want 'pattern=axes'")
}
