package main

// This file implements gospmd help, which prints the pages of package docs.

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/gospmd/gospmd/docs"
	"github.com/gospmd/gospmd/internal/suggest"
)

// printUsage lists the commands.
func printUsage(out io.Writer) {
	fmt.Fprintln(out, "usage: gospmd COMMAND [flags] [FILE.mlir]")
	for _, c := range commands() {
		fmt.Fprintf(out, "  %-11s %s\n", c.name, c.usage)
	}
	fmt.Fprintln(out, "gospmd COMMAND -h describes the flags of a command")
}

// runHelp is the command help: it prints the page of the documentation that args name, the flags of
// a command, or the list of topics, to out. Several topics, and an unknown one, are errors.
func runHelp(args []string, in io.Reader, out, diag io.Writer) error {
	fs := newFlags("help", "Prints a page of the documentation, or the flags of a command. Without a topic it lists all.", diag, "layouts", "partition")
	fs.arguments, fs.files = "[TOPIC]", ""
	topics, err := fs.parseFiles(args)
	if err != nil {
		return err
	}
	switch len(topics) {
	case 0:
		printUsage(out)
		fmt.Fprintln(out, "gospmd help TOPIC prints a page of the documentation")
		for _, topic := range docs.Topics() {
			fmt.Fprintf(out, "  %-13s %s\n", topic.Name, topic.Title)
		}
		return nil
	case 1:
		return printTopic(topics[0], out)
	}
	return fmt.Errorf("help: got %d topics %q, want one", len(topics), topics)
}

// printTopic prints the page of a topic, or the flags of the command with the given name. An
// unknown name is an error that proposes the nearest one.
func printTopic(name string, out io.Writer) error {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			if err := c.run([]string{"-h"}, nil, out, out); !errors.Is(err, flag.ErrHelp) {
				return fmt.Errorf("BUG: %s -h: %w", name, err)
			}
			return nil
		}
		names = append(names, c.name)
	}
	for _, topic := range docs.Topics() {
		if topic.Name == name {
			page, err := docs.Page(name)
			if err != nil {
				return err
			}
			_, err = io.WriteString(out, page)
			return err
		}
		names = append(names, topic.Name)
	}
	return fmt.Errorf("help: there is no topic %q%s: gospmd help lists them", name, suggest.DidYouMean(name, names))
}
