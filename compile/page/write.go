package page

// This file writes the HTML file.

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

// Write writes the page as one HTML file. It returns the errors of w, and that of figures that JSON
// does not have, such as NaN.
func (p *Page) Write(w io.Writer) error { return write(w, p, nil, nil) }

// write writes, to w, the HTML file for the page data; or for the two pages data and other and
// their differences pair, which are both nil for one page.
func write(w io.Writer, data, other *Page, pair *Pair) error {
	var parts []part
	for _, x := range []struct {
		mark  string
		value any
		there bool
	}{{"/*data*/", data, true}, {"/*other*/", other, other != nil}, {"/*pair*/", pair, pair != nil}} {
		p := part{mark: x.mark}
		if x.there {
			var err error
			if p.text, err = pack(x.value); err != nil {
				return fmt.Errorf("page: %w", err)
			}
		}
		parts = append(parts, p)
	}
	html, err := assemble(parts)
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	if _, err := w.Write(html); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}

// part is a text that replaces a mark in page.html.
type part struct {
	mark string
	text []byte
}

// pack returns data as compressed JSON in base64, which data.js decodes. JSON compresses well
// here, because the texts of repeated layers differ only in numbers.
func pack(data any) ([]byte, error) {
	var b bytes.Buffer
	text := base64.NewEncoder(base64.StdEncoding, &b)
	squeeze := gzip.NewWriter(text)
	if err := json.NewEncoder(squeeze).Encode(data); err != nil {
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

// assemble returns page.html with the styles, the scripts and the data in place of the marks. The
// scripts become one program, in the order of their names.
func assemble(data []part) ([]byte, error) {
	html, err := assets.ReadFile("assets/page.html")
	if err != nil {
		return nil, err
	}
	for _, part := range []struct{ mark, pattern string }{{"/*styles*/", "assets/*.css"}, {"/*scripts*/", "assets/*.js"}} {
		text, err := joinAssets(part.pattern)
		if err != nil {
			return nil, err
		}
		html = bytes.Replace(html, []byte(part.mark), []byte(text), 1)
	}
	for _, p := range data {
		html = bytes.Replace(html, []byte(p.mark), p.text, 1)
	}
	return html, nil
}

// joinAssets returns the texts of the assets whose names match the pattern, concatenated in the
// order of their names.
func joinAssets(pattern string) (string, error) {
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
