//go:build cgo

// The handlers of LAPACK's custom calls, and the registration of handlers. XLA does not tell a
// handler the target that it is called for. So each target has its own function, which knows its
// number.

#include "handler.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"

static int queries;

int versionQueries(void) { return __atomic_load_n(&queries, __ATOMIC_SEQ_CST); }

int answersVersion(CallFrame* frame) {
  for (Extension* e = frame->extension_start; e; e = e->next) {
    if (e->type != EXTENSION_METADATA) continue;
    Metadata* m = ((MetadataExtension*)e)->metadata;
    m->api_version.major_version = 0;
    m->api_version.minor_version = frame->api ? frame->api->api_version.minor_version : 1;
    m->traits = 0;
    __atomic_add_fetch(&queries, 1, __ATOMIC_SEQ_CST);
    return 1;
  }
  return 0;
}

void* failure(const Api* api, const char* message) {
  ErrorArgs args = {sizeof args, NULL, message, ERROR_INTERNAL};
  return api->error_create(&args);
}

static void* handle(int slot, CallFrame* frame) {
  if (answersVersion(frame) || frame->stage != STAGE_EXECUTE) return NULL;
  char* message = gospmdCall(slot, frame);
  if (!message) return NULL;
  void* error = failure(frame->api, message);
  free(message);
  return error;
}

#define EACH8(F, n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7)
#define EACH(F) EACH8(F, 0) EACH8(F, 01) EACH8(F, 02) EACH8(F, 03) EACH8(F, 04) EACH8(F, 05) EACH8(F, 06) EACH8(F, 07)
#define DEFINE(n) \
  static void* handle##n(CallFrame* f) { return handle(n, f); }
#define LIST(n) handle##n,

EACH(DEFINE)  // 64 functions, numbered in octal
const Handler handlers[SLOTS] = {EACH(LIST)};

// The part of PJRT's interface that is used here.

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  void* error;
} PjrtErrorArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  const void* error;
  const char* message;
  size_t size;
} PjrtMessageArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  ApiVersion version;
  void (*error_destroy)(PjrtErrorArgs*);
  void (*error_message)(PjrtMessageArgs*);
} PjrtApi;

typedef struct {
  size_t struct_size;
  const char* target;
  size_t target_size;
  void* handler;
  const char* platform;
  size_t platform_size;
  int traits;
} PjrtRegisterArgs;

typedef struct {
  Extension base;
  void* type_register;
  void* user_data_add;
  void* (*register_handler)(PjrtRegisterArgs*);
} PjrtFfi;

enum { EXTENSION_FFI = 5 };

static char* messageOf(const PjrtApi* api, void* error) {
  PjrtMessageArgs m = {offsetof(PjrtMessageArgs, size) + sizeof m.size, NULL, error, NULL, 0};
  api->error_message(&m);
  char* text = strndup(m.message, m.size);
  PjrtErrorArgs d = {sizeof d, NULL, error};
  api->error_destroy(&d);
  return text;
}

char* registerHandler(const char* plugin, const char* target, Handler handler) {
  // The plugin is already loaded: dlopen returns its handle.
  void* library = dlopen(plugin, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return strdup(dlerror());
  const PjrtApi* (*get)(void) = (const PjrtApi* (*)(void))dlsym(library, "GetPjrtApi");
  if (!get) return strdup("it has no function GetPjrtApi");
  const PjrtApi* api = get();
  for (Extension* e = api->extension_start; e; e = e->next) {
    if (e->type != EXTENSION_FFI) continue;
    PjrtRegisterArgs args = {offsetof(PjrtRegisterArgs, traits) + sizeof args.traits, target, strlen(target), (void*)handler, "Host", 4, 0};
    void* error = ((PjrtFfi*)e)->register_handler(&args);
    return error ? messageOf(api, error) : NULL;
  }
  return strdup("it has no extension for handlers of custom calls");
}
