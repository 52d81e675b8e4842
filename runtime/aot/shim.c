// Compiles one program with a PJRT plugin for devices that are only described.

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pjrt.h"

// fail reports whether a function of the plugin has returned an error, and stores the error in a.
static int fail(const Api* api, Answer* a, const char* function, Error* error) {
  if (error == NULL) return 0;
  ErrorMessageArgs message = {.struct_size = sizeof message, .error = error};
  api->error_message(&message);
  ErrorCodeArgs code = {.struct_size = sizeof code, .error = error};
  Error* second = api->error_code(&code);
  a->failed = function;
  a->code = second == NULL ? code.code : 0;
  a->message = strndup(message.message, message.message_size);
  ErrorDestroyArgs destroy = {.struct_size = sizeof destroy, .error = error};
  api->error_destroy(&destroy);
  return 1;
}

static void failWith(Answer* a, const char* function, const char* message) {
  a->failed = function;
  a->message = strdup(message);
}

static const Api* load(const Question* q, Answer* a) {
  void* library = dlopen(q->plugin, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    failWith(a, "dlopen", dlerror());
    return NULL;
  }
  const Api* (*get_api)(void) = dlsym(library, "GetPjrtApi");
  const Api* api = get_api == NULL ? NULL : get_api();
  if (api == NULL || api->struct_size < sizeof(Api)) {
    failWith(a, "GetPjrtApi", "the file is no PJRT plugin, or one older than its function PJRT_Executable_GetCompiledMemoryStats");
    return NULL;
  }
  a->major_version = api->version.major_version;
  a->minor_version = api->version.minor_version;
  InitializeArgs initialize = {.struct_size = sizeof initialize};
  return fail(api, a, "PJRT_Plugin_Initialize", api->initialize(&initialize)) ? NULL : api;
}

// describe returns the topology. It also asks it for the devices and stores their attributes.
static void* describe(const Api* api, const Question* q, Answer* a) {
  TopologyArgs t = {.struct_size = sizeof t, .name = q->topology, .name_size = strlen(q->topology), .options = q->topology_options, .num_options = q->num_topology_options};
  if (fail(api, a, "PJRT_TopologyDescription_Create", api->topology_create(&t))) return NULL;
  a->version = (TopologyTextArgs){.struct_size = sizeof a->version, .topology = t.topology};
  if (fail(api, a, "PJRT_TopologyDescription_PlatformVersion", api->topology_version(&a->version))) return NULL;
  a->devices = (DevicesArgs){.struct_size = sizeof a->devices, .topology = t.topology};
  if (fail(api, a, "PJRT_TopologyDescription_GetDeviceDescriptions", api->topology_devices(&a->devices))) return NULL;
  if (a->devices.num_devices == 0) return t.topology;
  a->kind = (DeviceKindArgs){.struct_size = sizeof a->kind, .device = a->devices.devices[0]};
  if (fail(api, a, "PJRT_DeviceDescription_Kind", api->device_kind(&a->kind))) return NULL;
  a->attributes = (DeviceAttributesArgs){.struct_size = sizeof a->attributes, .device = a->devices.devices[0]};
  if (fail(api, a, "PJRT_DeviceDescription_Attributes", api->device_attributes(&a->attributes))) return NULL;
  return t.topology;
}

static void setName(NamedValue* option, const char* name, int type, size_t size) {
  *option = (NamedValue){.struct_size = sizeof *option, .name = name, .name_size = strlen(name), .type = type, .value_size = size};
}

void setText(NamedValue* option, const char* name, const char* text, size_t size) {
  setName(option, name, kString, size);
  option->value.text = text;
}

void setList(NamedValue* option, const char* name, const int64_t* list, size_t size) {
  setName(option, name, kInt64List, size);
  option->value.integers = list;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

void aotCompile(const Question* q, Answer* a) {
  const Api* api = load(q, a);
  if (api == NULL) return;
  void* topology = describe(api, q, a);
  if (topology == NULL) return;

  Program program = {.struct_size = sizeof program, .code = (char*)q->code, .code_size = q->code_size, .format = "mlir", .format_size = strlen("mlir")};
  CompileArgs c = {.struct_size = sizeof c, .topology = topology, .program = &program, .options = q->options, .options_size = q->options_size};
  double start = now();
  Error* error = api->compile(&c);
  a->seconds = now() - start;
  if (fail(api, a, "PJRT_Compile", error)) return;

  a->memory = (MemoryArgs){.struct_size = sizeof a->memory, .executable = c.executable};
  if (fail(api, a, "PJRT_Executable_GetCompiledMemoryStats", api->memory(&a->memory))) return;

  a->optimized = (Program){.struct_size = sizeof a->optimized};
  OptimizedArgs o = {.struct_size = sizeof o, .executable = c.executable, .program = &a->optimized};
  if (fail(api, a, "PJRT_Executable_OptimizedProgram", api->optimized(&o))) return;  // the first call returns the size
  a->optimized.code = malloc(a->optimized.code_size);
  if (fail(api, a, "PJRT_Executable_OptimizedProgram", api->optimized(&o))) return;

  a->serialized = (SerializeArgs){.struct_size = sizeof a->serialized, .executable = c.executable};
  if (fail(api, a, "PJRT_Executable_Serialize", api->serialize(&a->serialized))) return;

  a->cost = (CostArgs){.struct_size = sizeof a->cost, .executable = c.executable};
  a->has_cost = !fail(api, a, "PJRT_Executable_GetCostAnalysis", api->cost(&a->cost));  // CUDA's plugin has none
  a->failed = NULL;
}

double numberOf(const NamedValue* v) {
  switch (v->type) {
    case kFloat:
      return v->value.number;
    case kInt64:
      return v->value.integer;
  }
  return 0;
}
