// XLA's plugin for CPUs ($REAL_PLUGIN), disguised as the plugin of a machine with $GPUS GPUs. It
// makes the GPUs that the option visible_devices names, or all. They are H100s. It is compiled with
// go-xla's header.

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt_c_api.h"

static const PJRT_Api* real;

static PJRT_Error* create(PJRT_Client_Create_Args* a) {
  int64_t gpus = atoi(getenv("GPUS")), visible = gpus;
  for (size_t i = 0; i < a->num_options; i++) {
    const PJRT_NamedValue* o = &a->create_options[i];
    if (strncmp(o->name, "visible_devices", o->name_size) != 0) continue;
    visible = 0;
    for (size_t j = 0; j < o->value_size; j++) visible += o->int64_array_value[j] < gpus;
  }
  PJRT_NamedValue count = {
      .struct_size = sizeof count, .name = "cpu_device_count", .name_size = 16, .type = PJRT_NamedValue_kInt64, .int64_value = visible, .value_size = 1};
  a->create_options = &count;
  a->num_options = 1;
  return real->PJRT_Client_Create(a);
}

static PJRT_Error* kind(PJRT_DeviceDescription_Kind_Args* a) {
  a->device_kind = "NVIDIA H100 80GB HBM3";
  a->device_kind_size = strlen(a->device_kind);
  return NULL;
}

static PJRT_Error* name(PJRT_Client_PlatformName_Args* a) {
  a->platform_name = "cuda";
  a->platform_name_size = strlen(a->platform_name);
  return NULL;
}

const PJRT_Api* GetPjrtApi(void) {
  static PJRT_Api* api;
  if (api != NULL) return api;
  void* library = dlopen(getenv("REAL_PLUGIN"), RTLD_LAZY | RTLD_LOCAL);
  real = ((const PJRT_Api* (*)(void))dlsym(library, "GetPjrtApi"))();
  api = malloc(real->struct_size);
  memcpy(api, real, real->struct_size);
  api->PJRT_Client_Create = create;
  api->PJRT_Client_PlatformName = name;
  api->PJRT_DeviceDescription_Kind = kind;
  return api;
}
