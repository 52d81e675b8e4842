// Package docs holds the pages of the documentation, so that `gospmd help TOPIC` prints them.
//
// A page is a Markdown file in this directory, and its topic is the name of the file. Each page
// begins with a heading and a task. TestDocs of cmd/gospmd runs the commands of all pages.
//
// Order of use: Topics, Page.
package docs

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

//go:embed *.md
var files embed.FS

// Topic is a page of the documentation.
type Topic struct {
	Name  string // "layouts"
	Title string // the heading of the page: "Layouts and distribution"
}

// Topics returns all pages, in the order in which a newcomer reads them.
func Topics() []Topic {
	var topics []Topic
	for _, name := range order {
		text, err := files.ReadFile(name + ".md")
		if err != nil {
			panic(fmt.Sprintf("BUG: docs: the page of topic %s: %v", name, err))
		}
		heading, _, _ := strings.Cut(string(text), "\n")
		topics = append(topics, Topic{Name: name, Title: strings.TrimPrefix(heading, "# ")})
	}
	return topics
}

// order lists the topics in the order of Topics. A test demands all pages.
var order = []string{
	"layouts", "meshes", "engines", "debugging", "predictions", "accelerators", "processes", "checkpoints",
	"keras", "gomlx", "benchmarks", "testing", "stability", "map",
}

// comment finds a comment of Markdown with the end of its line.
var comment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)

// Page returns the text of a topic without comments of Markdown. An unknown topic is an error that
// lists the topics.
func Page(topic string) (string, error) {
	if !slices.Contains(order, topic) {
		return "", fmt.Errorf("there is no topic %q%s: want one of %s", topic, suggest.DidYouMean(topic, order), strings.Join(order, ", "))
	}
	text, err := files.ReadFile(topic + ".md")
	if err != nil {
		return "", fmt.Errorf("BUG: docs: %w", err)
	}
	return comment.ReplaceAllString(string(text), ""), nil
}
