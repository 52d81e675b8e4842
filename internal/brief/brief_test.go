package brief_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/brief"
)

func Example() {
	fmt.Println(brief.Value(map[string]any{"class_name": "L2", "config": []any{1.0, nil, true}}))
	fmt.Println(brief.Value(strings.Repeat("ab", 1000)) == strings.Repeat("ab", 50)+"…")
	fmt.Println(brief.Quote([]string{"data", "model"}))
	// Output:
	// map[class_name:L2 config:[1 <nil> true]]
	// true
	// "data", "model"
}

// Value and Text cut texts of large and deep values off at Limit bytes, with an ellipsis, and leave
// short ones as they are.
func TestShort(t *testing.T) {
	var deep, wide any = 1.0, map[string]any{}
	for range 1 << 20 {
		deep = []any{deep}
	}
	for i := range 1000 {
		wide.(map[string]any)[fmt.Sprint("key", i)] = strings.Repeat("x", 1000)
	}
	for _, v := range []any{deep, wide, make([]any, 1<<20), strings.Repeat("é", 1000), map[string]any{strings.Repeat("k", 1<<20): deep}} {
		text := brief.Value(v)
		require.LessOrEqual(t, len(text), brief.Limit+len("…"))
		require.True(t, strings.HasSuffix(text, "…"))
		require.NotContains(t, text, "\uFFFD", "a character is cut")
	}
	require.Equal(t, "short", brief.Text("short"))
}

func TestError(t *testing.T) {
	require.NoError(t, brief.Error(nil))
	plain := errors.New("plain")
	require.Same(t, plain, brief.Error(plain))
	long := brief.Error(fmt.Errorf("the head, %s, %w", strings.Repeat("é", 5000), plain))
	require.LessOrEqual(t, len(long.Error()), brief.ErrorLimit)
	require.True(t, strings.HasPrefix(long.Error(), "the head"))
	require.True(t, strings.HasSuffix(long.Error(), "plain"))
	require.NotContains(t, long.Error(), "\uFFFD")
	require.ErrorIs(t, long, plain)
}

func TestLists(t *testing.T) {
	names := make([]string, 20)
	errs := make([]error, 20)
	for i := range names {
		names[i], errs[i] = strings.Repeat("n", 200), fmt.Errorf("error %d", i)
	}
	require.Contains(t, brief.Quote(names), `"…", and 12 more`[3:])
	require.Less(t, len(brief.Quote(names)), 1000)
	require.Equal(t, "none", brief.Quote(nil))
	err := brief.Join(append(errs, nil)...)
	require.ErrorContains(t, err, "error 7\nand 12 errors more")
	require.True(t, errors.Is(err, errs[0]))
	require.NoError(t, brief.Join(nil, nil))
}
