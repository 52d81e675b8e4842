package resnet_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/applications/resnet"
)

// ExamplePreprocessInput prepares a pixel: its colors are reversed, and the means subtracted.
func ExamplePreprocessInput() {
	x, err := resnet.PreprocessInput([][][]uint8{{{255, 0, 10}}})
	fmt.Println(x.Value(), err)
	// Output: [[[-93.939 -116.779 131.32]]] <nil>
}

func TestPreprocessInput(t *testing.T) {
	const mean0, mean1, mean2 = 103.939, 116.779, 123.68
	want := []float32{float32(3) - mean0, float32(2) - mean1, float32(1) - mean2}
	for _, tc := range []struct {
		name string
		x    any
	}{
		{"bytes", [][][]uint8{{{1, 2, 3}}}},
		{"int32", [][][]int32{{{1, 2, 3}}}},
		{"int64", [][][]int64{{{1, 2, 3}}}},
		{"float32", [][][]float32{{{1, 2, 3}}}},
		{"float64", [][][]float64{{{1, 2, 3}}}},
		{"batch", [][][][]uint8{{{{1, 2, 3}}}}},
		{"tensor", tensors.FromFlatDataAndDimensions([]float32{1, 2, 3}, 1, 1, 3)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for range 2 { // the second time shows that x is not changed
				got, err := resnet.PreprocessInput(tc.x)
				require.NoError(t, err)
				require.Equal(t, want, tensors.MustCopyFlatData[float32](got))
			}
		})
	}
	for _, tc := range []struct {
		name string
		x    any
		want string
	}{
		{"grey", [][][]uint8{{{1}}}, "got images of shape (1, 1, 1), want (height, width, 3) or (batch, height, width, 3)"},
		{"no image", [][]uint8{{1, 2, 3}}, "got images of shape (1, 3)"},
		{"booleans", [][][]bool{{{true, true, true}}}, "got numbers of type Bool, want floats or integers"},
		{"text", "cat.png", "got texts, want numbers"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := resnet.PreprocessInput(tc.x)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// indexText returns a class index of 1000 invented classes as JSON, in the form of Keras' file
// imagenet_class_index.json, without class number skip; -1 leaves out none.
func indexText(skip int) string {
	var b strings.Builder
	b.WriteString("{")
	for k := range 1000 {
		if k == skip {
			continue
		}
		if b.Len() > 1 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, `"%d": ["n%08d", "class_%d"]`, k, 7*k, k)
	}
	return b.String() + "}"
}

func TestDecode(t *testing.T) {
	index, err := resnet.ReadClassIndex(strings.NewReader(indexText(-1)))
	require.NoError(t, err)
	scores := make([]float32, 2*1000)
	scores[3], scores[999], scores[0] = 0.5, 0.25, 0.125
	scores[1000+42] = 1
	got, err := index.Decode(tensors.FromFlatDataAndDimensions(scores, 2, 1000), 3)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, []resnet.Prediction{{"n00000021", "class_3", 0.5}, {"n00006993", "class_999", 0.25}, {"n00000000", "class_0", 0.125}}, got[0])
	require.Equal(t, "class_42 (n00000294) 1.0000", got[1][0].String())

	for _, tc := range []struct {
		name string
		dims []int
		top  int
		want string
	}{
		{"classes", []int{2, 10}, 5, "got predictions of shape (2, 10), want (samples, 1000)"},
		{"rank", []int{1000}, 5, "got predictions of shape (1000,)"},
		{"top of none", []int{1, 1000}, 0, "got the top 0 classes, want 1 to 1000"},
		{"top of all", []int{1, 1000}, 1001, "got the top 1001 classes, want 1 to 1000"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := 1
			for _, d := range tc.dims {
				n *= d
			}
			_, err := index.Decode(tensors.FromFlatDataAndDimensions(make([]float32, n), tc.dims...), tc.top)
			require.ErrorContains(t, err, tc.want)
			_, err = resnet.DecodePredictions(t.Context(), tensors.FromFlatDataAndDimensions(make([]float32, n), tc.dims...), tc.top, nil)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func TestReadClassIndexErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no JSON", "index", "index of the classes: invalid character"},
		{"a class is missing", indexText(7), `class 7 has [], want its ID and name`},
		{"no name", strings.Replace(indexText(-1), `, "class_5"`, "", 1), `class 5 has ["n00000035"], want its ID and name`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := resnet.ReadClassIndex(strings.NewReader(tc.text))
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// noNetwork is a transport of HTTP that fails every request.
type noNetwork struct{}

func (noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("no route to host")
}

// TestDecodePredictionsOffline requires that without a network the error says which file to put
// where.
func TestDecodePredictionsOffline(t *testing.T) {
	old := http.DefaultTransport
	http.DefaultTransport = noNetwork{}
	defer func() { http.DefaultTransport = old }()
	home := t.TempDir()
	t.Setenv("KERAS_HOME", home)
	_, err := resnet.DecodePredictions(t.Context(), tensors.FromFlatDataAndDimensions(make([]float32, 1000), 1, 1000), 5, &bytes.Buffer{})
	require.ErrorContains(t, err, "names of the classes")
	require.ErrorContains(t, err, "no route to host")
	require.ErrorContains(t, err, "imagenet_class_index.json where there is a network and put it at "+home+"/models/imagenet_class_index.json")
}
