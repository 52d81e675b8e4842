package plugin_test

// This file tests installing, with releases made here and servers of its own; the tests of package
// runtime do the real download, if the plugin is missing.

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gomlx/go-xla/installer"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/download"
	"github.com/gospmd/gospmd/runtime/plugin"
)

const member = "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so"

func hash(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// fakeRelease returns a release whose wheel has one file, a plugin with these contents, and the
// bytes of the wheel.
func fakeRelease(t testing.TB, contents []byte) (plugin.Release, []byte) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(member)
	require.NoError(t, err)
	_, err = w.Write(contents)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return plugin.Release{Package: "xla-cpu-pjrt", Version: "9.9", Wheel: "xla_cpu_pjrt-9.9-py3-none-any.whl",
		What: "XLA's CPU plugin", SHA256: hash(b.Bytes()), Members: []plugin.Member{{Path: member, To: "xla_cpu_pjrt.so", SHA256: hash(contents)}}}, b.Bytes()
}

// index returns a package index that knows the release r only, from a server that ends with the
// test. handle serves the wheel.
func index(t testing.TB, r plugin.Release, handle http.HandlerFunc) *plugin.Index {
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return &plugin.Index{Lookup: func(_ context.Context, name string, _ *download.Progress) (*installer.PipPackageInfo, error) {
		info := &installer.PipPackageInfo{Releases: map[string][]installer.PipReleaseInfo{
			r.Version: {{Filename: "other.whl", URL: s.URL + "/other"}, {Filename: r.Wheel, URL: s.URL + "/" + r.Wheel}},
		}}
		if name != r.Package {
			return nil, fmt.Errorf("no package %q", name)
		}
		return info, nil
	}}
}

// requireNothingLeft checks that dir, after a failed installation, has no file but the lock.
func requireNothingLeft(t testing.TB, dir string) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			require.Equal(t, "lock", d.Name(), "left behind: %s", path)
		}
		return err
	}))
}

func TestInstall(t *testing.T) {
	contents := bytes.Repeat([]byte("plugin"), 1<<16)
	r, wheel := fakeRelease(t, contents)
	var served atomic.Int32
	src := index(t, r, func(w http.ResponseWriter, _ *http.Request) {
		served.Add(1)
		w.Write(wheel)
	})
	dir := t.TempDir()
	var out bytes.Buffer
	one := &plugin.Installer{Dir: dir, Release: r, Sources: []plugin.Source{src}, Output: &out}
	require.ErrorIs(t, one.Check(), fs.ErrNotExist)
	// Several installations run at the same time, in goroutines. This tests processes too, because
	// each opens the lock file again.
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			in := *one
			if i > 0 {
				in.Output = &bytes.Buffer{}
			}
			path, err := in.Install(context.Background())
			if err != nil || path != in.Path() {
				t.Errorf("%s, %v", path, err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int32(1), served.Load(), "downloads")
	got, err := os.ReadFile(one.Path())
	require.NoError(t, err)
	require.Equal(t, contents, got)
	require.Equal(t, filepath.Join(dir, "xla-cpu-pjrt-9.9", "xla_cpu_pjrt.so"), one.Path())
	stale, _ := filepath.Glob(filepath.Join(dir, "tmp-*"))
	require.Empty(t, stale)
}

func TestInstallSpeaks(t *testing.T) {
	r, wheel := fakeRelease(t, []byte("x"))
	src := index(t, r, func(w http.ResponseWriter, _ *http.Request) { w.Write(wheel) })
	var out bytes.Buffer
	in := &plugin.Installer{Dir: t.TempDir(), Release: r, Sources: []plugin.Source{src}, Output: &out}
	_, err := in.Install(context.Background())
	require.NoError(t, err)
	require.Contains(t, out.String(), "gospmd: installing XLA's CPU plugin, once: package index: "+r.Wheel)
}

func TestInstallErrors(t *testing.T) {
	r, wheel := fakeRelease(t, bytes.Repeat([]byte("plugin"), 1<<16))
	serve := func(b []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.Write(b) }
	}
	otherFile := r
	otherFile.Members = []plugin.Member{{Path: member, To: "a.so", SHA256: hash([]byte("another"))}}
	otherMember := r
	otherMember.Members = append([]plugin.Member{{Path: "nowhere.so"}}, r.Members...)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tc := range []struct {
		name    string
		ctx     context.Context
		release plugin.Release
		source  plugin.Source
		want    string
	}{
		{name: "wrong wheel", release: r, source: index(t, r, serve([]byte("no wheel"))), want: "want " + r.SHA256 + ": it was damaged or replaced"},
		{name: "wrong plugin in it", release: otherFile, source: index(t, r, serve(wheel)), want: "want " + otherFile.Members[0].SHA256},
		{name: "no plugin in it", release: otherMember, source: index(t, r, serve(wheel)), want: "nowhere.so"},
		{name: "cut off", release: r, source: index(t, r, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(wheel)))
			w.Write(wheel[:len(wheel)/2])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}), want: "broke off after"},
		{name: "server error", release: r, source: index(t, r, http.NotFound), want: "the server answered 404"},
		{name: "unknown release", release: r, source: &plugin.Index{Lookup: func(context.Context, string, *download.Progress) (*installer.PipPackageInfo, error) {
			return &installer.PipPackageInfo{}, nil
		}}, want: "it does not list " + r.Wheel},
		{name: "offline", release: r, source: &plugin.Index{Lookup: func(context.Context, string, *download.Progress) (*installer.PipPackageInfo, error) {
			return nil, fmt.Errorf("no route to host")
		}}, want: "looking up xla-cpu-pjrt: no route to host"},
		{name: "no pip", release: r, source: &plugin.Pip{Python: "/nowhere/python3"}, want: "/nowhere/python3"},
		{name: "pip fails", release: r, source: &plugin.Pip{Python: "false"}, want: "-m pip download: exit status 1"},
		{name: "interrupted", ctx: canceled, release: r, source: index(t, r, serve(wheel)), want: "context canceled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx := tc.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			dir := t.TempDir()
			in := &plugin.Installer{Dir: dir, Release: tc.release, Sources: []plugin.Source{tc.source}, Output: &bytes.Buffer{}}
			_, err := in.Install(ctx)
			require.ErrorContains(t, err, tc.want)
			for _, advice := range []string{"$GOSPMD_PJRT_PLUGIN", "pip download --no-deps --only-binary :all: xla-cpu-pjrt==9.9", tc.release.Members[0].Path + " at " + in.Path()} {
				require.ErrorContains(t, err, advice)
			}
			requireNothingLeft(t, dir)
		})
	}
}

// TestNextSource checks that the second source is used if the first one fails, and that files of a
// killed process are removed.
func TestNextSource(t *testing.T) {
	r, wheel := fakeRelease(t, []byte("plugin"))
	bad := index(t, r, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("x")) })
	good := index(t, r, func(w http.ResponseWriter, _ *http.Request) { w.Write(wheel) })
	root := t.TempDir()
	dir, other := filepath.Join(root, "cache[1]"), filepath.Join(root, "cache1", "tmp-9")
	require.NoError(t, os.MkdirAll(other, 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "tmp-123"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tmp-123", r.Wheel), wheel[:3], 0o644))
	in := &plugin.Installer{Dir: dir, Release: r, Sources: []plugin.Source{bad, good}, Output: &bytes.Buffer{}}
	_, err := in.Install(context.Background())
	require.NoError(t, err)
	require.NoDirExists(t, filepath.Join(dir, "tmp-123"))
	require.DirExists(t, other, "a directory's name is no pattern")
}

// TestPip fetches a wheel through a fake Python, which does what pip download does. The plugin in
// the wheel must be installed.
func TestPip(t *testing.T) {
	r, wheel := fakeRelease(t, []byte("plugin"))
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, wheel, 0o644))
	python := filepath.Join(dir, "python")
	script := "#!/bin/sh\nwhile [ \"$1\" != --dest ]; do shift; done\ncp " + file + " \"$2/" + r.Wheel + "\"\n[ \"$3\" = xla-cpu-pjrt==9.9 ]\n"
	require.NoError(t, os.WriteFile(python, []byte(script), 0o755))
	in := &plugin.Installer{Dir: filepath.Join(dir, "to"), Release: r, Sources: []plugin.Source{&plugin.Pip{Python: python}}, Output: &bytes.Buffer{}}
	path, err := in.Install(context.Background())
	require.NoError(t, err)
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "plugin", string(got))
}

// asked is an HTTP transport that records the address of a request and answers it with an error.
type asked struct{ url *url.URL }

func (a *asked) RoundTrip(r *http.Request) (*http.Response, error) {
	a.url = r.URL
	return nil, errors.New("asked")
}

// A mirror of the index may give addresses without a host. They are relative to the index.
func TestRelativeAddress(t *testing.T) {
	r := plugin.Release{Package: "p", Version: "1", Wheel: "p.whl"}
	for address, want := range map[string]string{"/files/p.whl": "/files/p.whl", "../../files/p.whl": "/files/p.whl", "http://h/p.whl": "/p.whl"} {
		transport := &asked{}
		s := &plugin.Index{Client: &http.Client{Transport: transport}, Lookup: func(context.Context, string, *download.Progress) (*installer.PipPackageInfo, error) {
			return &installer.PipPackageInfo{Releases: map[string][]installer.PipReleaseInfo{"1": {{Filename: "p.whl", URL: address}}}}, nil
		}}
		require.ErrorContains(t, s.Fetch(t.Context(), r, filepath.Join(t.TempDir(), "wheel"), nil), "asked")
		require.True(t, transport.url.IsAbs())
		require.NotEmpty(t, transport.url.Host)
		require.Equal(t, want, transport.url.Path)
	}
}
