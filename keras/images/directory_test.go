package images_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/images"
)

// uniform returns a gray image, 3 wide and 2 high, whose pixels all have the brightness v.
func uniform(v uint8) image.Image {
	img := image.NewGray(image.Rect(0, 0, 3, 2))
	for i := range img.Pix {
		img.Pix[i] = v
	}
	return img
}

// animals makes a temporary directory of small images in two classes, and returns it: cats has 6
// images of the colors 0 to 5, dogs 4 of 100 to 103 in a directory below. It also has files that
// are no images.
func animals(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 6 {
		save(t, filepath.Join(dir, "cats", fmt.Sprintf("%d.png", i)), uniform(uint8(i)))
	}
	for i := range 4 {
		save(t, filepath.Join(dir, "dogs", "large", fmt.Sprintf("%d.png", i)), uniform(uint8(100+i)))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cats", "readme.txt"), []byte("cats"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "labels.csv"), []byte("cats"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".cache"), 0o755))
	return dir
}

// quiet is the option Output with a writer that discards its input.
var quiet = images.Output(io.Discard)

// epoch reads one epoch of ds. It returns the first number of each image (its color), the labels
// with an element for each batch, and the sizes of the batches. labels is nil for a dataset
// without.
func epoch(t testing.TB, ds data.Dataset) (colors []float32, labels []any, batches []int) {
	t.Helper()
	for b, err := range ds.Batches(t.Context()) {
		require.NoError(t, err)
		batches = append(batches, b.Size())
		dims := b.X[0].Shape().Dimensions
		for px := range slices.Chunk(tensors.MustCopyFlatData[float32](b.X[0]), dims[1]*dims[2]*dims[3]) {
			colors = append(colors, px[0])
		}
		for _, y := range b.Y {
			labels = append(labels, y.Value())
		}
	}
	return colors, labels, batches
}

func TestFromDirectory(t *testing.T) {
	dir := animals(t)
	inOrder := []float32{0, 1, 2, 3, 4, 5, 100, 101, 102, 103}
	for _, tc := range []struct {
		name       string
		opts       []images.Option
		wantColors []float32
		wantLabels []any
		classes    []string
		printed    string
	}{
		{"numbers", nil, inOrder, []any{[]int32{0, 0, 0, 0, 0, 0, 1}, []int32{1, 1, 1}}, []string{"cats", "dogs"}, "Found 10 files belonging to 2 classes.\n"},
		{"one-hot", []images.Option{images.LabelMode("categorical"), images.ValidationSplit(0.2), images.Subset("validation")}, inOrder[8:],
			[]any{[][]float32{{0, 1}, {0, 1}}}, []string{"cats", "dogs"}, "Found 10 files belonging to 2 classes.\n"},
		{"columns", []images.Option{images.LabelMode("binary"), images.ValidationSplit(0.8), images.Subset("training")}, inOrder[:2],
			[]any{[][]float32{{0}, {0}}}, []string{"cats", "dogs"}, "Found 10 files belonging to 2 classes.\n"},
		{"no labels", []images.Option{images.LabelMode("none")}, inOrder, nil, nil, "Found 10 files.\n"},
		{"classes in order", []images.Option{images.ClassNames("dogs", "cats")}, append(slices.Clone(inOrder[6:]), inOrder[:6]...),
			[]any{[]int32{0, 0, 0, 0, 1, 1, 1}, []int32{1, 1, 1}}, []string{"dogs", "cats"}, "Found 10 files belonging to 2 classes.\n"},
		{"some classes", []images.Option{images.ClassNames("dogs")}, inOrder[6:], []any{[]int32{0, 0, 0, 0}}, []string{"dogs"}, "Found 4 files belonging to 1 classes.\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var printed bytes.Buffer
			ds, err := images.FromDirectory(dir, append(tc.opts, images.Shuffle(false), images.BatchSize(7), images.Size(4, 5), images.Output(&printed))...)
			require.NoError(t, err)
			require.Equal(t, tc.classes, ds.ClassNames)
			require.Len(t, ds.FilePaths, len(tc.wantColors))
			require.Equal(t, tc.printed, printed.String())
			for range 2 {
				colors, labels, batches := epoch(t, ds)
				require.Equal(t, tc.wantColors, colors)
				require.Equal(t, tc.wantLabels, labels)
				require.Len(t, batches, ds.Cardinality())
			}
		})
	}
}

// TestFromDirectoryLinks checks that a class may be a link to a directory.
func TestFromDirectoryLinks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(animals(t), "dogs"), filepath.Join(dir, "hounds")))
	ds, err := images.FromDirectory(dir, images.Shuffle(false), images.Size(2, 2), quiet)
	require.NoError(t, err)
	require.Equal(t, []string{"hounds"}, ds.ClassNames)
	require.Equal(t, filepath.Join(dir, "hounds", "large", "0.png"), ds.FilePaths[0])
	colors, _, _ := epoch(t, ds)
	require.Equal(t, []float32{100, 101, 102, 103}, colors)
}

// TestFromDirectoryShuffled checks that each epoch has every image once, in another order, that the
// same seed gives the same orders, and that the subsets share no image. A dataset that seeks a
// position in the middle of an epoch must continue there.
func TestFromDirectoryShuffled(t *testing.T) {
	dir := animals(t)
	open := func(opts ...images.Option) *images.Directory {
		ds, err := images.FromDirectory(dir, append(opts, images.Seed(7), images.BatchSize(4), images.Size(2, 2), quiet)...)
		require.NoError(t, err)
		return ds
	}
	all := open()
	first, _, _ := epoch(t, all)
	second, _, _ := epoch(t, all)
	require.NotEqual(t, first, second)
	again, _, _ := epoch(t, open())
	require.Equal(t, first, again)
	require.Equal(t, []float32{0, 1, 2, 3, 4, 5, 100, 101, 102, 103}, slices.Sorted(slices.Values(second)))

	train, _, _ := epoch(t, open(images.ValidationSplit(0.3), images.Subset("training")))
	validation, _, _ := epoch(t, open(images.ValidationSplit(0.3), images.Subset("validation")))
	require.Len(t, validation, 3)
	require.Equal(t, slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(append(train, validation...))))

	// Another process continues in the middle of an epoch.
	position := data.Position{Seed: all.Position().Seed, Epoch: 1, Batch: 1}
	rest := open()
	require.NoError(t, rest.Seek(position))
	colors, _, batches := epoch(t, rest)
	require.Equal(t, second[4:], colors)
	require.Equal(t, []int{4, 2}, batches)
}

// TestFromDirectoryKeepsRatio resizes images that are 3 wide and 2 high to 3 wide and 6 high by
// padding, cropping and stretching. A column of pixels must have the expected numbers.
func TestFromDirectoryKeepsRatio(t *testing.T) {
	dir := animals(t)
	for _, tc := range []struct {
		name string
		opts []images.Option
		want []float32 // a column of the first dog's image
	}{
		{"filled up", []images.Option{images.PadToAspectRatio()}, []float32{0, 0, 100, 100, 0, 0}},
		{"filled up with a color", []images.Option{images.PadToAspectRatio(), images.FillValue(7)}, []float32{7, 7, 100, 100, 7, 7}},
		{"cut off", []images.Option{images.CropToAspectRatio()}, []float32{100, 100, 100, 100, 100, 100}},
		{"stretched", nil, []float32{100, 100, 100, 100, 100, 100}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ds, err := images.FromDirectory(dir, append(tc.opts, images.Size(6, 3), images.ColorMode("grayscale"), images.ClassNames("dogs"), images.Shuffle(false), quiet)...)
			require.NoError(t, err)
			for b, err := range ds.Batches(t.Context()) {
				require.NoError(t, err)
				var column []float32
				for row := range slices.Chunk(tensors.MustCopyFlatData[float32](b.X[0])[:6*3], 3) {
					column = append(column, row[1])
				}
				require.InDeltaSlice(t, tc.want, column, 1e-4)
			}
		})
	}
}

func TestFromDirectoryErrors(t *testing.T) {
	dir := animals(t)
	bmp := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(bmp, "cats"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bmp, "cats", "a.BMP"), []byte("BM"), 0o644))
	for _, tc := range []struct {
		name, dir string
		opts      []images.Option
		want      string
	}{
		{"absent", filepath.Join(dir, "absent"), nil, "no such file or directory"},
		{"no images", filepath.Join(dir, "cats"), nil, "found no images in " + filepath.Join(dir, "cats") + ": want files that end in .gif, .jpeg, .jpg, .png, in a directory for each class"},
		{"BMP", bmp, nil, "a.BMP is a BMP file, which cannot be read here: convert it to PNG"},
		{"unknown class", dir, []images.Option{images.ClassNames("cat")}, `class "cat": ` + dir + ` has no directory of that name (did you mean "cats"?), only ["cats" "dogs"]`},
		{"class listed twice", dir, []images.Option{images.ClassNames("cats", "cats")}, `class "cats" is listed twice`},
		{"classes without labels", dir, []images.Option{images.ClassNames("cats"), images.LabelMode("none")}, `got ClassNames beside LabelMode("none")`},
		{"binary", dir, []images.Option{images.ClassNames("cats"), images.LabelMode("binary")}, `got LabelMode("binary") for the 1 classes ["cats"], want two`},
		{"label mode", dir, []images.Option{images.LabelMode("onehot")}, `LabelMode: got "onehot", want one of ["int" "categorical" "binary" "none"]`},
		{"split without subset", dir, []images.Option{images.ValidationSplit(0.2)}, `got ValidationSplit 0.2 and Subset "": want both or none`},
		{"subset without split", dir, []images.Option{images.Subset("training")}, `got ValidationSplit 0 and Subset "training": want both or none`},
		{"split without seed", dir, []images.Option{images.ValidationSplit(0.2), images.Subset("training")}, "got a ValidationSplit without a Seed"},
		{"split of all", dir, []images.Option{images.ValidationSplit(1), images.Subset("training")}, "ValidationSplit: got 1, want a number between 0 and 1"},
		{"empty subset", dir, []images.Option{images.ValidationSplit(0.01), images.Subset("validation"), images.Seed(1)}, "no image of the 10 is in the validation subset with ValidationSplit 0.01"},
		{"batch of 0", dir, []images.Option{images.BatchSize(0)}, "BatchSize: got 0, want a positive number"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := images.FromDirectory(tc.dir, append(tc.opts, quiet)...)
			require.ErrorContains(t, err, "images: FromDirectory: ")
			require.ErrorContains(t, err, tc.want)
		})
	}

	// A damaged file is an error when its batch is computed.
	damaged := filepath.Join(dir, "dogs", "damaged.jpg")
	require.NoError(t, os.WriteFile(damaged, []byte("JFIF"), 0o644))
	ds, err := images.FromDirectory(dir, images.Shuffle(false), quiet)
	require.NoError(t, err)
	for _, err := range ds.Batches(t.Context()) {
		require.ErrorContains(t, err, damaged+": image: unknown format")
	}
}

// ExampleFromDirectory reads images in a directory for each class. The label of an image is the
// number of its directory.
func ExampleFromDirectory() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for _, class := range []string{"grass", "sky"} {
		if err := os.Mkdir(filepath.Join(dir, class), 0o755); err != nil {
			panic(err)
		}
		f, err := os.Create(filepath.Join(dir, class, "1.png"))
		if err != nil {
			panic(err)
		}
		if err := encode(f, class); err != nil {
			panic(err)
		}
	}
	ds, err := images.FromDirectory(dir, images.Size(64, 64), images.Shuffle(false), images.Output(os.Stdout))
	if err != nil {
		panic(err)
	}
	for batch, err := range ds.Batches(context.Background()) {
		fmt.Println(ds.ClassNames, batch.X[0].Shape().Dimensions, batch.Y[0].Value(), err)
	}
	// Output:
	// Found 2 files belonging to 2 classes.
	// [grass sky] [2 64 64 3] [0 1] <nil>
}

// encode writes a PNG image of 2x2 pixels, one of them in the color of the class, to f, and closes
// f.
func encode(f *os.File, class string) error {
	img := image.NewRGBA(image.Rect(0, 0, 2, 2))
	img.Set(0, 0, map[string]color.Color{"grass": color.RGBA{0, 128, 0, 255}, "sky": color.RGBA{80, 160, 255, 255}}[class])
	if err := png.Encode(f, img); err != nil {
		return err
	}
	return f.Close()
}
