package plugin_test

// This file tests which accelerators Devices finds.

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/plugin"
)

func TestDevices(t *testing.T) {
	files := func(all map[string]string) fstest.MapFS {
		root := fstest.MapFS{}
		for name, text := range all {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		return root
	}
	const pci, gpus = "sys/bus/pci/devices/", "proc/driver/nvidia/gpus/"
	for _, tc := range []struct {
		name      string
		files     map[string]string
		tpu, cuda []string
	}{
		{name: "none"},
		{name: "TPUs beside a network card of Google's and another's device", files: map[string]string{
			pci + "0000:00:04.0/vendor": "0x1ae0\n", pci + "0000:00:04.0/device": "0x0063\n",
			pci + "0000:00:05.0/vendor": "0x1ae0\n", pci + "0000:00:05.0/device": "0x0063\n",
			pci + "0000:00:06.0/vendor": "0x1ae0\n", pci + "0000:00:06.0/device": "0x0042\n",
			pci + "0000:00:07.0/vendor": "0x8086\n", pci + "0000:00:07.0/device": "0x0063\n",
		}, tpu: []string{"v5e", "v5e"}},
		{name: "GPUs", files: map[string]string{
			gpus + "0000:01:00.0/information": "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ: 1\n",
			gpus + "0000:02:00.0/information": "Model: \t\t NVIDIA A100\n", "dev/nvidia0": "", "dev/nvidia1": "", "dev/nvidiactl": "",
		}, cuda: []string{"NVIDIA H100 80GB HBM3", "NVIDIA A100"}},
		{name: "a container's GPU", files: map[string]string{"dev/nvidia3": "", "dev/nvidiactl": ""}, cuda: []string{"NVIDIA GPU"}},
		{name: "WSL", files: map[string]string{"dev/dxg": ""}, cuda: []string{"NVIDIA GPU"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := files(tc.files)
			require.Equal(t, tc.tpu, plugin.DevicesOf(root, "tpu"))
			require.Equal(t, tc.cuda, plugin.DevicesOf(root, "cuda"))
			require.Empty(t, plugin.DevicesOf(root, "cpu"))
		})
	}
}
