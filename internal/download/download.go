// Package download downloads files into a directory, once: a file is complete, with the right
// checksum, or does not exist. A server cannot keep it waiting forever, or send more data than
// allowed.
//
// It unpacks nothing and knows no mirrors; package runtime/plugin, which asks several sources for a
// wheel, uses Request and Progress.
//
// Order of use: KerasHome for the directory that is shared with Keras, File.Get.
//
//	file         what it holds
//	download.go  KerasHome, File: a file and its place
//	request.go   Request: one download, with limits of time and size
//	progress.go  Progress: messages during the download
package download

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

// HomeVar is the environment variable that replaces the directory for downloads.
const HomeVar = "KERAS_HOME"

// KerasHome returns the directory for Keras' downloads: $KERAS_HOME, else .keras in the user's
// home. Without a home directory it is an error.
func KerasHome() (string, error) {
	if dir := os.Getenv(HomeVar); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("there is no home directory to keep downloads in: %w; set $%s to a directory", err, HomeVar)
	}
	return filepath.Join(home, ".keras"), nil
}

// File is a file on the network and its place on this machine.
type File struct {
	URL   string
	Dir   string // the directory to keep it in
	Name  string // its name in Dir; if empty, the last part of the URL
	Hash  string // sha256 or md5 in hexadecimal digits, distinguished by length; empty if not known
	Bytes int64  // the largest allowed size; 0 for the default of Request
}

// Path returns the path of the file, which need not exist yet.
func (f File) Path() string {
	name := f.Name
	if name == "" {
		name = path.Base(f.URL)
	}
	return filepath.Join(f.Dir, name)
}

// Get returns the file's path. It downloads the file, unless it exists with the right checksum. out
// (nil for os.Stderr) gets messages about the progress.
func (f File) Get(ctx context.Context, out io.Writer) (string, error) {
	if have, err := os.Open(f.Path()); err == nil {
		err = f.check(have)
		have.Close()
		if err == nil {
			return f.Path(), nil
		}
	}
	if err := f.fetch(ctx, out); err != nil {
		return "", fmt.Errorf("%w\nFetch %s where there is a network and put it at %s", err, f.URL, f.Path())
	}
	return f.Path(), nil
}

func (f File) fetch(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(f.Dir, 0o755); err != nil {
		return fmt.Errorf("cannot make the directory for downloads: %w; set $%s to one that can be written", err, HomeVar)
	}
	show := &Progress{Output: out, What: "downloading " + f.URL}
	defer show.Finish()
	return atomicfile.Write(f.Path(), func(to *os.File) error {
		if err := (Request{URL: f.URL, Bytes: f.Bytes}).Fetch(ctx, to, show); err != nil {
			return err
		}
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return f.check(to)
	})
}

// check returns an error if the contents of r do not have the checksum f.Hash, sha256 or md5 by its
// length. Without a checksum all contents pass.
func (f File) check(r io.Reader) error {
	if f.Hash == "" {
		return nil
	}
	var h hash.Hash
	switch len(f.Hash) {
	case hex.EncodedLen(sha256.Size):
		h = sha256.New()
	case hex.EncodedLen(md5.Size):
		h = md5.New()
	default:
		return fmt.Errorf("BUG: the checksum %q of %s is neither sha256 nor md5", f.Hash, f.URL)
	}
	if _, err := io.Copy(h, r); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); !strings.EqualFold(got, f.Hash) {
		return fmt.Errorf("%s has the checksum %s, want %s: it is damaged or another file", f.URL, got, f.Hash)
	}
	return nil
}
