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

// Write writes the page as one HTML file.
func (p *Page) Write(w io.Writer) error { return write(w, p, nil, nil) }

// write writes the file for one page, or for two and their differences.
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
			if p.text, err = packed(x.value); err != nil {
				return fmt.Errorf("page: %w", err)
			}
		}
		parts = append(parts, p)
	}
	html, err := assembled(parts)
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

// packed returns data as compressed JSON in base64, which data.js decodes. JSON compresses well
// here, because the texts of repeated layers differ only in numbers.
func packed(data any) ([]byte, error) {
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

// assembled returns page.html with the styles, the scripts and the data in place of the marks. The
// scripts become one program, in the order of their names.
func assembled(data []part) ([]byte, error) {
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
	for _, p := range data {
		html = bytes.Replace(html, []byte(p.mark), p.text, 1)
	}
	return html, nil
}

// joined returns the assets that match the pattern, concatenated.
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
