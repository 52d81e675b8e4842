package layerpath

// This file reads one path.

import (
	"regexp"
	"slices"
	"strings"
)

// Path is a layer path that has been read.
type Path struct {
	Layers   []string // from the outermost to the innermost; block0_up is two layers
	Backward bool     // the op computes gradients
}

// transforms are functions that may enclose a name in a path without being a layer. The value says
// whether they mark the backward pass.
var transforms = map[string]bool{
	"grad": true, "transpose": true,
	"jvp": false, "vmap": false, "pmap": false, "remat": false, "checkpoint": false, "shard_map": false,
	"custom_jvp": false, "custom_vjp": false,
}

// again is the path element of what is computed again in place of being kept. It is JAX's, so
// profilers know it.
const again = "rematted_computation"

// Again returns the path of an op that computes once more what an op of this path has computed. A
// path of JAX still ends with its primitive.
func Again(path string) string {
	parts := split(path)
	switch _, is := AgainPart(path); {
	case is:
		return path
	case path == "":
		return again
	case len(parts) > 1 && strings.HasPrefix(parts[0], "jit("):
		return strings.Join(slices.Insert(parts, len(parts)-1, again), "/")
	}
	return path + "/" + again
}

// AgainPart returns the part of a path that all ops have which compute again the values of one
// layer; ok is false for other ops.
func AgainPart(path string) (part string, ok bool) {
	i := strings.LastIndex("/"+path+"/", "/"+again+"/")
	if i < 0 {
		return "", false
	}
	return path[:i+len(again)], true
}

// control are the path elements that JAX adds for control flow.
var control = map[string]bool{"body": true, "cond": true, "while": true, "scan": true, "closed_call": true, "checkpoint": true, again: true}

// numbered matches the place after the number in block0_attention and layers.0.attention, where a
// name is split.
var numbered = regexp.MustCompile(`^([A-Za-z][A-Za-z_]*[._]?\d+|[A-Za-z]+\[\d+\])[_.](.+)$`)

// Parse reads a path. A path of JAX begins with the compiled function and ends with the primitive:
// Parse leaves both out.
func Parse(text string) Path {
	var p Path
	parts := split(text)
	if len(parts) > 1 && strings.HasPrefix(parts[0], "jit(") {
		parts = parts[1 : len(parts)-1]
	}
	for _, part := range parts {
		p.add(part)
	}
	return p
}

// add adds a part of a path, without enclosing functions.
func (p *Path) add(part string) {
	for {
		function, inside, ok := strings.Cut(part, "(")
		if !ok || !strings.HasSuffix(inside, ")") {
			break
		}
		inside = strings.TrimSuffix(inside, ")")
		backward, known := transforms[function]
		if !known && function != "jit" && function != "pjit" {
			break
		}
		p.Backward = p.Backward || backward
		if part = inside; strings.Contains(part, "/") {
			for _, inner := range split(part) {
				p.add(inner)
			}
			return
		}
	}
	for part != "" && !control[part] {
		m := numbered.FindStringSubmatch(part)
		if m == nil {
			p.Layers = append(p.Layers, part)
			return
		}
		p.Layers = append(p.Layers, m[1])
		part = m[2]
	}
}

// split splits text at the slashes outside of parentheses.
func split(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '/':
			if depth == 0 {
				parts = append(parts, text[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, text[start:])
}
