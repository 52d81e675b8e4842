package datasets_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/keras/datasets"
)

// small returns the bytes of n images of 2x3 pixels, and of their classes: image i has the pixels
// 10i to 10i+5, row by row, and the class i%10.
func small(n int) (images, classes []byte) {
	for i := range n {
		classes = append(classes, byte(i%10))
		for k := range 6 {
			images = append(images, byte(10*i+k))
		}
	}
	return images, classes
}

func idx(elements []byte, dims ...int) []byte {
	b := []byte{0, 0, 8, byte(len(dims))}
	for _, d := range dims {
		b = binary.BigEndian.AppendUint32(b, uint32(d))
	}
	return append(b, elements...)
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// smallFiles returns the IDX files of a small data set by MNIST's names: five images to train on
// and two to test, those of small.
func smallFiles() map[string][]byte {
	x, y := small(5)
	tx, ty := small(2)
	return map[string][]byte{
		"train-images-idx3-ubyte": idx(x, 5, 2, 3), "train-labels-idx1-ubyte": idx(y, 5),
		"t10k-images-idx3-ubyte": idx(tx, 2, 2, 3), "t10k-labels-idx1-ubyte": idx(ty, 2),
	}
}

func write(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, b := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
	return dir
}

func requireSmall(t *testing.T, train, test datasets.Split) {
	t.Helper()
	require.Equal(t, []int{5, 2, 3}, train.X.Shape().Dimensions)
	require.Equal(t, []uint8{0, 1, 2, 3, 4}, train.Y.Value())
	require.Equal(t, [][][]uint8{{{0, 1, 2}, {3, 4, 5}}, {{10, 11, 12}, {13, 14, 15}}}, test.X.Value())
	require.Equal(t, []uint8{0, 1}, test.Y.Value())
}

func TestDir(t *testing.T) {
	packed := make(map[string][]byte)
	for name, b := range smallFiles() {
		packed[name+".gz"] = zipped(b)
	}
	for _, tc := range []struct {
		name  string
		files map[string][]byte
	}{{"plain", smallFiles()}, {"gzip", packed}} {
		t.Run(tc.name, func(t *testing.T) {
			dir := write(t, tc.files)
			train, test, err := datasets.MNIST(t.Context(), datasets.Dir(dir))
			require.NoError(t, err)
			requireSmall(t, train, test)
			t.Setenv("GOSPMD_FASHION_MNIST_DIR", dir)
			train, test, err = datasets.FashionMNIST(t.Context())
			require.NoError(t, err)
			requireSmall(t, train, test)
		})
	}
}

func TestDirErrors(t *testing.T) {
	const images, classes = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
	x, y := small(5)
	for _, tc := range []struct {
		name, file string
		with       []byte // nil: the file does not exist
		wantErr    string
	}{
		{"missing", classes, nil, "has neither train-labels-idx1-ubyte nor train-labels-idx1-ubyte.gz: want the files train-images"},
		{"empty", images, []byte{}, "train-images-idx3-ubyte: it begins with : want an IDX file of unsigned bytes (00 00 08)"},
		{"text", images, []byte("<html>"), "it begins with 3c 68 74 6d: want an IDX file"},
		{"floats", images, append([]byte{0, 0, 13, 1}, make([]byte, 8)...), "it begins with 00 00 0d 01"},
		{"no dimensions", images, []byte{0, 0, 8, 3, 0, 0}, "it begins with 00 00 08 03"},
		{"cut off", images, idx(x[:29], 5, 2, 3), "it holds 29 elements, the shape in its header is [5 2 3]: the file is cut off or damaged"},
		{"too long", images, idx(append(x, 0), 5, 2, 3), "it holds more than the 30 elements of the shape [5 2 3]"},
		{"huge", images, idx(x, 1<<31, 1<<31, 1<<31), "the shape in its header, [2147483648 2147483648 2147483648], needs more memory than there is"},
		{"no images", images, idx(nil, 0, 2, 3), "the shape in its header is [0 2 3]: want sizes of at least 1"},
		{"classes missing", classes, idx(y[:4], 4), "images of shape [5 2 3] and classes of shape [4]: want (n, height, width) and (n)"},
		{"classes as images", images, idx(y, 5), "images of shape [5]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := smallFiles()
			if files[tc.file] = tc.with; tc.with == nil {
				delete(files, tc.file)
			}
			_, _, err := datasets.MNIST(t.Context(), datasets.Dir(write(t, files)))
			require.ErrorContains(t, err, "datasets: mnist: ")
			require.ErrorContains(t, err, tc.wantErr)
		})
	}
	_, _, err := datasets.MNIST(t.Context(), datasets.Dir(""))
	require.ErrorContains(t, err, "Dir: got an empty name")
	_, _, err = datasets.MNIST(t.Context(), datasets.Dir(write(t, map[string][]byte{images + ".gz": []byte("no gzip file at all"), classes: {}, "t10k-images-idx3-ubyte": {}, "t10k-labels-idx1-ubyte": {}})))
	require.ErrorContains(t, err, "gzip: ")
}

// npy returns the bytes of an .npy file of version 1.0, with the given header and the elements'
// bytes.
func npy(head string, elements []byte) []byte {
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	return append(append(b, head...), elements...)
}

func npz(t *testing.T, members map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range []string{"x_train", "y_train", "x_test", "y_test"} {
		if b, ok := members[name]; ok {
			w, err := z.Create(name + ".npy")
			require.NoError(t, err)
			_, err = w.Write(b)
			require.NoError(t, err)
		}
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

const head = "{'descr': '|u1', 'fortran_order': False, 'shape': (%s), }\n"

func archive() map[string][]byte {
	x, y := small(5)
	tx, ty := small(2)
	return map[string][]byte{
		"x_train": npy(fmt.Sprintf(head, "5, 2, 3"), x), "y_train": npy(fmt.Sprintf(head, "5,"), y),
		"x_test": npy(fmt.Sprintf(head, "2, 2, 3"), tx), "y_test": npy(fmt.Sprintf(head, "2,"), ty),
	}
}

// TestDownload downloads an archive into Keras' directory. A second load must not download again.
func TestDownload(t *testing.T) {
	t.Setenv("GOSPMD_MNIST_DIR", "")
	home := t.TempDir()
	t.Setenv("KERAS_HOME", home)
	file := npz(t, archive())
	served := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served++
		require.Equal(t, "/sets/small.npz", r.URL.Path)
		w.Write(file)
	}))
	defer server.Close()
	var out bytes.Buffer
	for range 2 {
		train, test, err := datasets.LoadArchive(t.Context(), server.URL+"/sets", fmt.Sprintf("%x", sha256.Sum256(file)), datasets.Output(&out))
		require.NoError(t, err)
		requireSmall(t, train, test)
	}
	require.Equal(t, 1, served)
	require.FileExists(t, filepath.Join(home, "datasets", "small.npz"))
	require.Contains(t, out.String(), "downloading "+server.URL+"/sets/small.npz")
}

func TestArchiveErrors(t *testing.T) {
	t.Setenv("GOSPMD_MNIST_DIR", "")
	x, y := small(5)
	for _, tc := range []struct {
		name, member string
		with         []byte
		wantErr      string
	}{
		{"missing", "y_train", nil, "small.npz: y_train.npy: the archive does not hold it"},
		{"not NumPy's", "x_train", []byte("text"), `x_train.npy: it begins with "text": want an .npy file, version 1`},
		{"cut off in the header", "x_train", npy(fmt.Sprintf(head, "5, 2, 3"), nil)[:20], "want an .npy file"},
		{"floats", "x_train", npy(strings.Replace(fmt.Sprintf(head, "5, 2, 3"), "|u1", "<f4", 1), x), "want unsigned bytes (|u1) in row-major order"},
		{"columns", "x_train", npy(strings.Replace(fmt.Sprintf(head, "5, 2, 3"), "False", "True", 1), x), "in row-major order"},
		{"cut off", "y_train", npy(fmt.Sprintf(head, "5,"), y[:3]), "it holds 3 elements, the shape in its header is [5]"},
		{"impossible shape", "y_train", npy(fmt.Sprintf(head, "99999999999999999999,"), y), "value out of range"},
		{"classes missing", "y_train", npy(fmt.Sprintf(head, "4,"), y[:4]), "images of shape [5 2 3] and classes of shape [4]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("KERAS_HOME", t.TempDir())
			members := archive()
			if members[tc.member] = tc.with; tc.with == nil {
				delete(members, tc.member)
			}
			file := npz(t, members)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(file) }))
			defer server.Close()
			_, _, err := datasets.LoadArchive(t.Context(), server.URL, fmt.Sprintf("%x", sha256.Sum256(file)), datasets.Output(&bytes.Buffer{}))
			require.ErrorContains(t, err, tc.wantErr)
		})
	}
}

func TestDownloadErrors(t *testing.T) {
	t.Setenv("GOSPMD_MNIST_DIR", "")
	t.Setenv("GOSPMD_FASHION_MNIST_DIR", "")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".npz") {
			fmt.Fprint(w, "another file")
		} else {
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	blocked := filepath.Join(write(t, map[string][]byte{"file": {}}), "file")
	for _, tc := range []struct {
		name, home string
		load       func(ctx context.Context, opts ...datasets.Option) (train, test datasets.Split, err error)
		want       []string
	}{
		{"checksum", t.TempDir(), datasets.MNIST, []string{"datasets: mnist: ", "has the checksum", "want 731c5ac602752760",
			"mnist.npz where there is a network and put it at", "or name a directory that has the files train-images-idx3-ubyte", "datasets.Dir or $GOSPMD_MNIST_DIR"}},
		{"not found", t.TempDir(), datasets.FashionMNIST, []string{"datasets: fashion_mnist: ", "404", "fashion-mnist/train-images-idx3-ubyte.gz", "$GOSPMD_FASHION_MNIST_DIR"}},
		{"a directory that cannot be written", blocked, datasets.MNIST, []string{"cannot make the directory for downloads", blocked, "set $KERAS_HOME to one that can be written"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("KERAS_HOME", tc.home)
			_, _, err := tc.load(t.Context(), datasets.Mirror(server.URL), datasets.Output(&bytes.Buffer{}))
			for _, want := range tc.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

// TestRealMNIST reads the real files, if a directory with them is named. The shapes must be those
// of MNIST, 60 000 and 10 000 images of 28x28, and so must the first ten classes.
func TestRealMNIST(t *testing.T) {
	needs.MNIST(t)
	train, test, err := datasets.MNIST(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int{60000, 28, 28}, train.X.Shape().Dimensions)
	require.Equal(t, []int{10000, 28, 28}, test.X.Shape().Dimensions)
	classes := train.Y.Value().([]uint8)
	require.Equal(t, []uint8{5, 0, 4, 1, 9, 2, 1, 3, 1, 4}, classes[:10])
}

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, b := range smallFiles() { // small files in place of the real ones
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	train, test, err := datasets.MNIST(context.Background(), datasets.Dir(dir))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(train.X.Shape(), train.Y.Shape(), test.X.Shape(), test.Y.Shape())
	// Output: (Uint8)[5, 2, 3] (Uint8)[5] (Uint8)[2, 2, 3] (Uint8)[2]
}
