package page

// This file puts the file together.

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

//go:embed assets
var assets embed.FS

// Write writes the page as one HTML file.
func (p *Page) Write(w io.Writer) error {
	data, err := p.packed()
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	html, err := assembled(data)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	if _, err := w.Write(html); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}

// packed returns the data as compressed JSON in base64, of which data.js makes
// JSON again: the texts of repeats differ in numbers only.
func (p *Page) packed() ([]byte, error) {
	var b bytes.Buffer
	text := base64.NewEncoder(base64.StdEncoding, &b)
	squeeze := gzip.NewWriter(text)
	if err := json.NewEncoder(squeeze).Encode(p); err != nil {
		return nil, err
	}
	if err := squeeze.Close(); err != nil {
		return nil, err
	}
	if err := text.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// assembled puts the styles, the scripts and the data in their places in
// page.html. The scripts are one program, in the order of their names.
func assembled(data []byte) ([]byte, error) {
	html, err := assets.ReadFile("assets/page.html")
	if err != nil {
		return nil, err
	}
	for _, part := range []struct{ mark, pattern string }{{"/*styles*/", "assets/*.css"}, {"/*scripts*/", "assets/*.js"}} {
		text, err := joined(part.pattern)
		if err != nil {
			return nil, err
		}
		html = bytes.Replace(html, []byte(part.mark), []byte(text), 1)
	}
	return bytes.Replace(html, []byte("/*data*/"), data, 1), nil
}

// joined returns the assets that match the pattern, one after the other.
func joined(pattern string) (string, error) {
	names, err := fs.Glob(assets, pattern)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range names {
		text, err := assets.ReadFile(name)
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	return b.String(), nil
}
