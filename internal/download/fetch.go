package download

// This file downloads over HTTP.

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// Fetch writes what lies at url to the writer and tells show about it. A nil
// client is http.DefaultClient.
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
