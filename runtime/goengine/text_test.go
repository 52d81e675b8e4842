package goengine_test

// This file helps to write modules as text.

import (
	"regexp"
	"strings"
)

var operandTypes = regexp.MustCompile(`: \(tensor<([^>]*)>, tensor<([^>]*)>\)`)

// typesOf returns the types of the two operands of the first op.
func typesOf(body string) []string { return operandTypes.FindStringSubmatch(body)[1:] }

func replaceAll(text string, oldNew ...string) string {
	return strings.NewReplacer(oldNew...).Replace(replaceFirst(text, oldNew))
}

// replaceFirst replaces the names whose replacements hold further names.
func replaceFirst(text string, oldNew []string) string {
	return strings.NewReplacer(oldNew[:4]...).Replace(text)
}
