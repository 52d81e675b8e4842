package plugin_test

// This file tests which plugin wins.

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/plugin"
)

// TestFind takes away the winners one after the other.
func TestFind(t *testing.T) {
	ctx := context.Background()
	root := t.TempDir()
	home := filepath.Join(root, "home")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	t.Setenv("VIRTUAL_ENV", filepath.Join(root, "venv"))
	t.Setenv("CONDA_PREFIX", "")
	file := func(path ...string) string {
		p := filepath.Join(append([]string{root}, path...)...)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, library(0), 0o644))
		return p
	}
	o := plugin.Options{Platform: "cpu", Path: file("option.so")}
	named := file("named.so")
	inDirs := file("dirs", "pjrt_c_api_cpu_v0.2_plugin.so")
	file("dirs", "pjrt_c_api_cpu_v0.1_plugin.so")
	release, err := plugin.ThisRelease()
	require.NoError(t, err)
	cached := file("cache", "gospmd", "pjrt", release.Package+"-"+release.Version, "xla_cpu_pjrt.so")
	plugin.Stamp(t, cached, release.File)
	inVenv := file("venv", "lib", "python3.12", "site-packages", "xla_plugins", "xla_cpu_pjrt", "xla_cpu_pjrt.so")
	inHome := file("home", ".local", "lib", "go-xla", "pjrt_c_api_cpu_v0.3_plugin.so")

	t.Setenv(plugin.PathVar, named)
	t.Setenv(plugin.DirsVar, filepath.Join(root, "none")+":"+filepath.Join(root, "dirs"))
	require.Equal(t, o.Path, find(t, o))
	o.Path = ""
	require.Equal(t, named, find(t, o))
	t.Setenv(plugin.PathVar, "")
	require.Equal(t, inDirs, find(t, o))
	t.Setenv(plugin.DirsVar, "")
	require.Equal(t, cached, find(t, o))
	require.NoError(t, os.Remove(cached))
	require.Equal(t, inVenv, find(t, o))
	require.NoError(t, os.Remove(inVenv))
	require.Equal(t, inHome, find(t, o))

	_, err = plugin.Find(ctx, plugin.Options{Platform: "tpu"})
	require.ErrorContains(t, err, `no PJRT plugin for platform "tpu" found: install one`)
	_, err = plugin.Find(ctx, plugin.Options{Platform: "cpu", Path: filepath.Join(root, "dirs")})
	require.ErrorContains(t, err, "which is a directory: name the .so file in it")
	t.Setenv(plugin.PathVar, filepath.Join(root, "missing.so"))
	_, err = plugin.Find(ctx, o)
	require.ErrorContains(t, err, "$GOSPMD_PJRT_PLUGIN names the PJRT plugin "+filepath.Join(root, "missing.so"))
}

// library returns a shared library that says that it has that many bytes more.
func library(more uint64) []byte {
	var b bytes.Buffer
	const headers, size = 64, 64 + 56
	for _, part := range []any{
		elf.Header64{Ident: [16]byte{0x7f, 'E', 'L', 'F', 2, 1, 1}, Type: uint16(elf.ET_DYN), Machine: uint16(elf.EM_X86_64), Version: 1,
			Phoff: headers, Ehsize: headers, Phentsize: 56, Phnum: 1, Shentsize: 64},
		elf.Prog64{Type: uint32(elf.PT_LOAD), Filesz: size + more, Memsz: size + more},
	} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func find(t *testing.T, o plugin.Options) string {
	path, err := plugin.Find(context.Background(), o)
	require.NoError(t, err)
	return path
}
