// Package download brings files from the network into a directory, once: a file
// is there completely, with the right checksum, or not at all.
//
// It unpacks nothing and knows no mirrors; package runtime/plugin, which asks
// several sources for a wheel, uses Fetch and Progress.
//
// Order of use: KerasHome for the directory that is shared with Keras, File.Get.
package download

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// HomeVar is the environment variable that names another directory for
// downloads.
const HomeVar = "KERAS_HOME"

// KerasHome returns the directory for Keras' downloads: $KERAS_HOME, else .keras
// in the user's home.
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
	URL  string
	Dir  string // the directory to keep it in
	Name string // its name there; the last part of the URL if empty
	Hash string // sha256 or md5 in hexadecimal digits, told apart by length; empty if not known
}

// Path returns where the file is, or will be.
func (f File) Path() string {
	name := f.Name
	if name == "" {
		name = path.Base(f.URL)
	}
	return filepath.Join(f.Dir, name)
}

// Get returns the file's path. Unless a file with the right checksum is there
// it is downloaded, and out (nil for os.Stderr) sees the progress.
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
		if err := Fetch(ctx, nil, f.URL, to, show); err != nil {
			return err
		}
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return f.check(to)
	})
}

// check compares the contents of r with the checksum.
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

// Fetch writes the contents of url to the writer and reports progress to show. A
// nil client is http.DefaultClient.
func Fetch(ctx context.Context, client *http.Client, url string, to io.Writer, show *Progress) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("downloading: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("downloading %s: the server answered %s", url, resp.Status)
	}
	show.Start(resp.ContentLength)
	n, err := io.Copy(io.MultiWriter(to, show), resp.Body)
	if err == nil && resp.ContentLength >= 0 && n != resp.ContentLength {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("downloading %s: broke off after %d of %d bytes: %w", url, n, resp.ContentLength, err)
	}
	return nil
}

// Progress counts the bytes that are written to it. A nil Progress is silent.
type Progress struct {
	Output io.Writer // nil for os.Stderr
	What   string    // what is done: "downloading https://…"

	bar   *progressbar.ProgressBar
	bytes int64
	begun bool
}

// Start tells the size of what comes, -1 when it is not known.
func (p *Progress) Start(size int64) {
	if p == nil {
		return
	}
	p.begun = true
	if p.Output == nil {
		p.Output = os.Stderr
	}
	if f, ok := p.Output.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bar = progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(p.Output),
			progressbar.OptionSetDescription("gospmd: "+p.What),
			progressbar.OptionShowBytes(true),
			progressbar.OptionClearOnFinish())
		return
	}
	fmt.Fprintf(p.Output, "gospmd: %s%s\n", p.What, sizeText(size))
}

// Write counts bytes.
func (p *Progress) Write(b []byte) (int, error) {
	if p == nil {
		return len(b), nil
	}
	p.bytes += int64(len(b))
	if p.bar != nil {
		p.bar.Add(len(b))
	}
	return len(b), nil
}

// Finish ends the display.
func (p *Progress) Finish() {
	switch {
	case p == nil || !p.begun:
	case p.bar != nil:
		p.bar.Exit()
	default:
		fmt.Fprintf(p.Output, "gospmd: download ended%s\n", sizeText(p.bytes))
	}
}

func sizeText(n int64) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f MB)", float64(n)/1e6)
}
