package layerpath

// This file reads one path.

import (
	"fmt"
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

// again is the path element of ops that compute again a value that was not kept. It is JAX's, so
// profilers know it. Again adds a number: rematted_computation.3.
const again = "rematted_computation"

// isAgain reports whether a part of a path says that something is computed again.
func isAgain(part string) bool {
	name, _, _ := strings.Cut(part, ".")
	return name == again
}

// Again returns the path of an op that computes once more, at a numbered place of the program, what
// an op of this path has computed. A path of JAX still ends with its primitive.
func Again(path string, place int) string {
	mark := fmt.Sprintf("%s.%d", again, place)
	if path == "" {
		return mark
	}
	parts := split(path)
	at := len(parts)
	if at > 1 && isJAX(path) {
		at--
	}
	return strings.Join(slices.Insert(parts, at, mark), "/")
}

// AgainPart returns the part of a path that all ops have which compute something again at one place
// of the program; ok is false for other ops.
func AgainPart(path string) (part string, ok bool) {
	parts := split(path)
	for i, p := range slices.Backward(parts) {
		if isAgain(p) {
			return strings.Join(parts[:i+1], "/"), true
		}
	}
	return "", false
}

// control has the path elements that JAX adds for control flow. They are no layers.
var control = map[string]bool{"body": true, "cond": true, "while": true, "scan": true, "closed_call": true, "checkpoint": true}

// numbered matches the place after the number in block0_attention and layers.0.attention, where a
// name is split.
var numbered = regexp.MustCompile(`^([A-Za-z][A-Za-z_]*[._]?\d+|[A-Za-z]+\[\d+\])[_.](.+)$`)

// isJAX reports whether a path is one of JAX, which begins with the compiled function.
func isJAX(path string) bool { return strings.HasPrefix(path, "jit(") }

// Inside returns the path that an op of a called function has where its body replaces the call. In
// JAX, the path of an op in a called function begins at the function, so it is only the primitive's
// name if the function has no layers:
//
//	call: jit(step)/jvp(jit(relu))   path: max   Inside: jit(step)/jvp(jit(relu))/max
//
// Other paths stay as they are. An op without a path gets that of the call.
func Inside(call, path string) string {
	switch {
	case path == "":
		return call
	case !isJAX(call) || split(call)[0] == split(path)[0]: // older versions of JAX write whole paths
		return path
	}
	return call + "/" + path
}

// Parse reads a path. A path of JAX begins with the compiled function and ends with the primitive:
// Parse leaves both out.
func Parse(text string) Path {
	var p Path
	parts := split(text)
	if !isJAX(text) {
		for _, part := range parts {
			p.add(part)
		}
		return p
	}
	differentiated := 0
	for _, part := range parts[1:max(1, len(parts)-1)] {
		p.add(part)
		if strings.Contains(part, "jvp(") {
			differentiated++
		}
	}
	for range differentiated - 1 {
		p.Layers = withoutRepeat(p.Layers)
	}
	return p
}

// withoutRepeat removes the first of two equal sequences of layers that a path begins with. In the
// backward pass of jax.checkpoint, JAX writes the layers around it twice, and differentiates each:
//
//	jit(step)/transpose(jvp(encoder))/layer_0/jvp(encoder)/layer_0/checkpoint/mul
func withoutRepeat(layers []string) []string {
	for n := len(layers) / 2; n > 0; n-- {
		if slices.Equal(layers[:n], layers[n:2*n]) {
			return layers[n:]
		}
	}
	return layers
}

// add adds part, an element of a path, to p without the functions that enclose it, such as jit(…).
// A transposed function marks p as backward.
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
	for part != "" && !control[part] && !isAgain(part) {
		m := numbered.FindStringSubmatch(part)
		if m == nil {
			p.Layers = append(p.Layers, part)
			return
		}
		p.Layers = append(p.Layers, m[1])
		part = m[2]
	}
}

// split returns the parts of text between the slashes outside of parentheses.
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
