// The table of a plugin with another PJRT_Client_Create, which gives each client
// callbacks to a store that the processes have in common, and another
// PJRT_Client_Compile, which can compile for devices of all processes.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "pjrt.h"


// answer turns what a callback of Go's returned into an error of the plugin's.
static Error* answer(MakeError* make_error, struct gospmdGet_return r, char** value, size_t* value_size) {
  if (r.r0 != 0) {
    Error* error = (*make_error)(r.r0, r.r1, r.r2);
    free(r.r1);
    return error;
  }
  *value = r.r1;
  *value_size = r.r2;
  return NULL;
}

static void deleteValue(char* value) { free(value); }

static Error* get(GetArgs* a) {
  a->delete_value = deleteValue;
  return answer(a->make_error, gospmdGet((uintptr_t)a->user_arg, (char*)a->key, a->key_size, a->timeout_in_ms), &a->value, &a->value_size);
}

static Error* tryGet(TryGetArgs* a) {
  a->delete_value = deleteValue;
  return answer(a->make_error, gospmdGet((uintptr_t)a->user_arg, (char*)a->key, a->key_size, -1), &a->value, &a->value_size);
}

static Error* put(PutArgs* a) {
  struct gospmdPut_return r = gospmdPut((uintptr_t)a->user_arg, (char*)a->key, a->key_size, (char*)a->value, a->value_size);
  if (r.r0 == 0) return NULL;
  Error* error = (*a->make_error)(r.r0, r.r1, r.r2);
  free(r.r1);
  return error;
}

// The plugin that is wrapped: there is one in a process.
static const Api* wrapped;
static char* wrapped_path;
static Api* copy;

static Error* create(CreateArgs* a) {
  void* user = (void*)gospmdClient();
  a->get = get;
  a->get_user_arg = user;
  a->put = put;
  a->put_user_arg = user;
  if (a->struct_size >= offsetof(CreateArgs, try_get_user_arg) + sizeof(void*)) {
    a->try_get = tryGet;
    a->try_get_user_arg = user;
  }
  return wrapped->client_create(a);
}

static _Thread_local struct {
  const int64_t* devices;
  size_t size;
} assignment;

void setAssignment(const int64_t* devices, size_t size) {
  assignment.devices = devices;
  assignment.size = size;
}

static Error* compile(CompileArgs* a) {
  if (assignment.size == 0) return wrapped->client_compile(a);
  struct gospmdOptions_return r = gospmdOptions((char*)a->compile_options, a->compile_options_size, (int64_t*)assignment.devices, assignment.size);
  CompileArgs other = *a;
  other.compile_options = r.r0;
  other.compile_options_size = r.r1;
  Error* error = wrapped->client_compile(&other);
  a->executable = other.executable;
  free(r.r0);
  return error;
}

static char* message(const char* format, const char* detail) {
  size_t size = strlen(format) + strlen(detail) + 1;
  char* text = malloc(size);
  snprintf(text, size, format, detail);
  return text;
}

char* wrapPlugin(const char* path, Api** table) {
  if (wrapped_path != NULL && strcmp(wrapped_path, path) != 0) return message("this process has another plugin already, %s: one process uses one", wrapped_path);
  if (wrapped_path == NULL) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return message("%s", dlerror());
    const Api* (*get_api)(void) = dlsym(library, "GetPjrtApi");
    if (get_api == NULL) return message("%s is no PJRT plugin: it has no GetPjrtApi", path);
    const Api* api = get_api();
    if (api == NULL || api->struct_size < sizeof(Api)) return message("%s has no table of PJRT's functions", path);
    copy = malloc(api->struct_size);
    memcpy(copy, api, api->struct_size);
    copy->client_create = create;
    copy->client_compile = compile;
    wrapped = api;
    wrapped_path = strdup(path);
  }
  *table = copy;
  return NULL;
}
