package download_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/download"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	defer server.Close()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	f := download.File{URL: server.URL + "/greeting.txt", Dir: dir, Hash: "5d41402abc4b2a76b9719d911017c592"}
	path, err := f.Get(context.Background(), &bytes.Buffer{})
	text, _ := os.ReadFile(path)
	fmt.Println(filepath.Base(path), string(text), err)
	// Output: greeting.txt hello <nil>
}

var contents = bytes.Repeat([]byte("weights"), 1<<14)

func TestGet(t *testing.T) {
	for _, tc := range []struct {
		name, hash string
		there      string // content of the directory before
		wantServed int
	}{
		{name: "md5", hash: fmt.Sprintf("%x", md5.Sum(contents)), wantServed: 1},
		{name: "sha256", hash: fmt.Sprintf("%X", sha256.Sum256(contents)), wantServed: 1},
		{name: "no checksum", wantServed: 1},
		{name: "there", hash: fmt.Sprintf("%x", md5.Sum(contents)), there: string(contents)},
		{name: "there, not checked", there: string(contents)},
		{name: "there, but damaged", hash: fmt.Sprintf("%x", md5.Sum(contents)), there: string(contents[1:]), wantServed: 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			served := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				served++
				w.Header().Set("Content-Length", fmt.Sprint(len(contents)))
				w.Write(contents)
			}))
			defer server.Close()
			f := download.File{URL: server.URL + "/models/a.h5", Dir: filepath.Join(t.TempDir(), "models"), Hash: tc.hash}
			if tc.there != "" {
				require.NoError(t, os.MkdirAll(f.Dir, 0o755))
				require.NoError(t, os.WriteFile(f.Path(), []byte(tc.there), 0o644))
			}
			var out bytes.Buffer
			for range 2 {
				path, err := f.Get(t.Context(), &out)
				require.NoError(t, err)
				require.Equal(t, filepath.Join(f.Dir, "a.h5"), path)
				got, err := os.ReadFile(path)
				require.NoError(t, err)
				require.Equal(t, contents, got)
			}
			require.Equal(t, tc.wantServed, served)
			require.Equal(t, tc.wantServed > 0, strings.Contains(out.String(), "gospmd: downloading "+f.URL+" (0.1 MB)"), out.String())
		})
	}
}

func TestGetErrors(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tc := range []struct {
		name string
		ctx  context.Context
		hash string
		dir  string
		with http.HandlerFunc
		want string
	}{
		{name: "not found", with: http.NotFound, want: "the server answered 404"},
		{name: "another file", hash: strings.Repeat("0", 32), with: func(w http.ResponseWriter, _ *http.Request) { w.Write(contents) },
			want: fmt.Sprintf("has the checksum %x, want %s", md5.Sum(contents), strings.Repeat("0", 32))},
		{name: "cut off", with: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(2*len(contents)))
			w.Write(contents)
		}, want: fmt.Sprintf("broke off after %d of %d bytes", len(contents), 2*len(contents))},
		{name: "interrupted", ctx: canceled, with: http.NotFound, want: "context canceled"},
		{name: "no directory", dir: "/dev/null/models", with: http.NotFound, want: "set $KERAS_HOME to one that can be written"},
		{name: "no checksum of ours", hash: "12", with: func(w http.ResponseWriter, _ *http.Request) { w.Write(contents) }, want: "BUG"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := httptest.NewServer(tc.with)
			defer server.Close()
			dir := tc.dir
			if dir == "" {
				dir = t.TempDir()
			}
			ctx := tc.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			f := download.File{URL: server.URL + "/a.h5", Dir: dir, Name: "b.h5", Hash: tc.hash}
			_, err := f.Get(ctx, &bytes.Buffer{})
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, "Fetch "+f.URL+" where there is a network and put it at "+f.Path())
			left, _ := os.ReadDir(dir)
			require.Empty(t, left, "no half file is left")
		})
	}
}

func TestKerasHome(t *testing.T) {
	t.Setenv(download.HomeVar, "/data/keras")
	dir, err := download.KerasHome()
	require.NoError(t, err)
	require.Equal(t, "/data/keras", dir)
	t.Setenv(download.HomeVar, "")
	t.Setenv("HOME", "/home/someone")
	dir, err = download.KerasHome()
	require.NoError(t, err)
	require.Equal(t, "/home/someone/.keras", dir)
}

// TestSlowServers downloads from servers that accept connections and then send nothing, or too
// little. The download must end with an error within the limits of the request.
func TestSlowServers(t *testing.T) {
	ended := make(chan struct{})
	defer close(ended)
	wait := func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	}
	mute, err := net.Listen("tcp", "localhost:0") // accepts connections, and sends nothing
	require.NoError(t, err)
	defer mute.Close()
	for _, tc := range []struct {
		name string
		with http.HandlerFunc // nil: a server that sends nothing
		r    download.Request
		want string
	}{
		{name: "no answer", r: download.Request{Answer: 500 * time.Millisecond}, want: "did not answer in 500ms"},
		{name: "no header", with: func(_ http.ResponseWriter, r *http.Request) { wait(r) }, r: download.Request{Answer: 500 * time.Millisecond}, want: "did not answer in 500ms"},
		{name: "no bytes", with: func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte("some"))
			w.(http.Flusher).Flush()
			wait(r)
		}, r: download.Request{Idle: 50 * time.Millisecond}, want: "sent nothing for 50ms"},
		{name: "a byte now and then", with: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		}, r: download.Request{Idle: 10 * time.Second, Total: 100 * time.Millisecond}, want: "it is not complete after 100ms"},
		{name: "no end", with: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.Write(contents)
			}
		}, r: download.Request{Bytes: 1 << 20}, want: "it has more than 1048576 bytes"},
		{name: "too long", with: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "1000000000000") },
			r: download.Request{Bytes: 1 << 20}, want: "it has 1000000000000 bytes, want at most 1048576"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.r.URL = "http://" + mute.Addr().String()
			if tc.with != nil {
				server := httptest.NewServer(tc.with)
				defer server.Close()
				tc.r.URL = server.URL
			}
			var out bytes.Buffer
			var got bytes.Buffer
			err := tc.r.Fetch(t.Context(), &got, &download.Progress{Output: &out, What: "downloading", Silent: time.Millisecond})
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, "downloading "+tc.r.URL)
			require.LessOrEqual(t, got.Len(), 1<<20+1)
			if tc.r.Answer > 0 {
				require.Contains(t, out.String(), "gospmd: downloading: waiting for "+strings.TrimPrefix(tc.r.URL, "http://")+" to answer, at most 500ms")
			}
		})
	}
}
