package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/docs"
)

// Each file is a topic, with a heading, and a page that begins with it and has no comments of
// Markdown. An unknown topic is an error that suggests one.
func TestTopics(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	var names []string
	for _, topic := range docs.Topics() {
		names = append(names, topic.Name+".md")
		require.NotEmpty(t, topic.Title)
		page, err := docs.Page(topic.Name)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(page, "# "+topic.Title+"\n"), topic.Name)
		require.NotContains(t, page, "<!--")
	}
	require.ElementsMatch(t, pages, names, "add the page to order in docs.go")
	_, err = docs.Page("layout")
	require.ErrorContains(t, err, `there is no topic "layout" (did you mean "layouts"?)`)
}

// link finds the links of a page: their target and the place in it.
var link = regexp.MustCompile(`\]\(([^)#]*)(#[^)]*)?\)`)

// Links of the documents must lead to files of the repository, or to other sites.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	for _, page := range append(pages, "../README.md", "../SECURITY.md", "../CONTRIBUTING.md", "../RATIONALE.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if target := m[1]; target != "" && !strings.Contains(target, "://") {
				_, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(target)))
				require.NoError(t, err, "a link of %s", page)
			}
		}
	}
}
