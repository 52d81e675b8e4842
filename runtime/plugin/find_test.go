package plugin_test

// This file tests where plugins, the files of CUDA and the libraries beside a plugin are looked
// for, in which order, and the errors if they are missing or damaged.

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

// TestFind takes away, again and again, what makes Find return a plugin: the option, the variables,
// the file. Each time Find must return the next one in its order. A directory and a missing file
// are errors that name them.
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
	cached := file("cache", "gospmd", "pjrt", "xla-cpu-pjrt-0.0.1", "xla_cpu_pjrt.so")
	plugin.Stamp(t, cached, member0(t, "cpu").SHA256)
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

	_, err := plugin.Find(ctx, plugin.Options{Platform: "cpu", Path: filepath.Join(root, "dirs")})
	require.ErrorContains(t, err, "which is a directory: name the .so file in it")
	t.Setenv(plugin.PathVar, filepath.Join(root, "missing.so"))
	_, err = plugin.Find(ctx, o)
	require.ErrorContains(t, err, "$GOSPMD_PJRT_PLUGIN names the PJRT plugin "+filepath.Join(root, "missing.so"))
}

// Find never installs plugins for TPUs and GPUs. It returns the one that a variable names, unless
// its file is another platform's, or else one in gospmd's cache, or else one among the packages of
// the active Python, or of the one in $PATH. Without one the error says how to install it; so it
// does if the one in the cache was damaged. An unknown platform is an error.
func TestFindAccelerators(t *testing.T) {
	for _, tc := range []struct {
		platform, name     string
		cached, inPackages string // in the directories of the cache and of site-packages
		variable           string
		want               string
	}{
		{platform: "tpu", name: "libtpu.so", cached: "libtpu-0.0.51", inPackages: "libtpu", variable: "TPU_LIBRARY_PATH",
			want: "install it with `gospmd doctor -install tpu` (205 MB to download) or `pip install libtpu`"},
		{platform: "cuda", name: "xla_cuda_plugin.so", cached: "jax-cuda13-pjrt-0.12.0.1/jax_plugins/xla_cuda13", inPackages: "jax_plugins/xla_cuda13", variable: plugin.PathVar,
			want: "install it with `gospmd doctor -install cuda` (257 MB to download) or `pip install 'jax-cuda13-plugin[with-cuda]'`"},
	} {
		t.Run(tc.platform, func(t *testing.T) {
			dir := hideOthers(t)
			root := filepath.Dir(dir)
			t.Setenv("VIRTUAL_ENV", root+"/venv")
			o := plugin.Options{Platform: tc.platform}
			_, err := plugin.Find(t.Context(), o)
			require.ErrorIs(t, err, plugin.ErrMissing)
			require.ErrorContains(t, err, tc.want)
			require.NoDirExists(t, root+"/cache", "nothing is downloaded unasked")

			t.Setenv("PATH", filepath.Dir(put(t, filepath.Join(root, "image/bin/python3"), nil, 0o755)))
			inPath := put(t, filepath.Join(root, "image/lib/python3.12/site-packages", tc.inPackages, tc.name), library(0), 0o644)
			require.Equal(t, inPath, find(t, o))
			inPackages := put(t, filepath.Join(root, "venv/lib/python3.12/site-packages", tc.inPackages, tc.name), library(0), 0o644)
			require.Equal(t, inPackages, find(t, o))
			cached := put(t, filepath.Join(root, "cache/gospmd/pjrt", tc.cached, tc.name), library(0), 0o755)
			plugin.Stamp(t, cached, member0(t, tc.platform).SHA256)
			require.Equal(t, cached, find(t, o))
			named := put(t, filepath.Join(dir, tc.name), library(0), 0o644)
			t.Setenv(tc.variable, named)
			require.True(t, o.NamesPlugin())
			require.Equal(t, named, find(t, o))
			t.Setenv(tc.variable, "")
			t.Setenv(plugin.PathVar, put(t, filepath.Join(dir, "xla_cpu_pjrt.so"), library(0), 0o644))
			require.False(t, o.NamesPlugin(), "it is the CPU's")
			require.Equal(t, cached, find(t, o))

			require.NoError(t, os.WriteFile(cached, library(8), 0o755))
			_, err = plugin.Find(t.Context(), o)
			require.ErrorContains(t, err, "it was damaged or replaced; `gospmd doctor -install "+tc.platform+"` installs it again")
		})
	}
	_, err := plugin.Find(t.Context(), plugin.Options{Platform: "gpu"})
	require.EqualError(t, err, `platform "gpu" is not known: want one of cpu, cuda, tpu`)
}

// TestCUDAData removes the directories with ptxas and libdevice, one after the other. Each time the
// next directory in order must be found, and at the end an error that says how to install them.
func TestCUDAData(t *testing.T) {
	dir := hideOthers(t)
	root := filepath.Dir(dir)
	t.Setenv("VIRTUAL_ENV", root+"/venv")
	t.Setenv("CUDA_PATH", "")
	data := func(path string) string {
		path = filepath.Join(root, path)
		put(t, filepath.Join(path, "nvvm/libdevice/libdevice.10.bc"), []byte("code"), 0o644)
		put(t, filepath.Join(path, "bin/ptxas"), library(0), 0o755)
		return path
	}
	places := []string{data("cache/gospmd/pjrt/jax-cuda13-pjrt-0.12.0.1/nvidia/cu13"), data("venv/lib/python3.12/site-packages/nvidia/cu13"),
		data("venv/lib/python3.12/site-packages/nvidia/cuda_nvcc"), data("toolkit")}
	t.Setenv("CUDA_HOME", places[3])
	for i, want := range places {
		got, err := plugin.CUDAData()
		require.NoError(t, err)
		require.Equal(t, want, got)
		if i%2 == 0 { // a ptxas that other users can change is skipped
			require.NoError(t, os.Chmod(filepath.Join(want, "bin/ptxas"), 0o777))
		} else {
			require.NoError(t, os.RemoveAll(filepath.Join(want, "bin")))
		}
	}
	if _, err := os.Stat("/usr/local/cuda"); err == nil {
		return
	}
	_, err := plugin.CUDAData()
	require.ErrorIs(t, err, plugin.ErrMissing)
	require.ErrorContains(t, err, "install them with `gospmd doctor -install cuda`")
}

// TestLibraries checks the list of libraries beside a plugin, and its order. It must leave out a
// library that another one opens, and one that other users can change.
func TestLibraries(t *testing.T) {
	root := t.TempDir()
	so := put(t, filepath.Join(root, "jax_plugins/xla_cuda13/xla_cuda_plugin.so"), library(0), 0o644)
	var want []string
	for _, name := range []string{"cu13/lib/libcudart.so.13", "cu13/lib/libcublas.so.13", "nccl/lib/libnccl.so.2", "cudnn/lib/libcudnn.so.9"} {
		want = append(want, put(t, filepath.Join(root, "nvidia", name), library(0), 0o644))
	}
	// libcublas opens it, so it is not listed
	put(t, filepath.Join(root, "nvidia/cu13/lib/libcublasLt.so.13"), library(0), 0o644)
	// other users can change it, so it is skipped
	put(t, filepath.Join(root, "nvidia/cu13/lib/libcufft.so.12"), library(0), 0o666)
	require.Equal(t, want, plugin.Libraries(so))
}

// member0 returns the first file of the first wheel in the named bundle.
func member0(t *testing.T, bundle string) plugin.Member {
	b, err := plugin.BundleNamed(bundle)
	require.NoError(t, err)
	return b.Releases[0].Members[0]
}

// library returns the bytes of an ELF shared library whose header claims that many bytes more than
// the file has.
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
