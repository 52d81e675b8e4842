// Each plugin gets a table with replacements of PJRT_Client_Create, PJRT_Client_Compile,
// PJRT_Client_BufferFromHostBuffer, PJRT_Buffer_Destroy, PJRT_Buffer_CopyToDevice and
// PJRT_LoadedExecutable_Execute. PJRT
// does not tell a function which table it was called through. So each plugin has its own
// replacements, which know the number of the plugin.

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "pjrt.h"

static const Api* wrapped[SLOTS];

static _Thread_local struct {
  Prepare prepare;
  uintptr_t user;
  uintptr_t compiler;
  void* client;
  int starting;  // the launch id
  bool tell;     // whether the plugin is told the launch id
  Started* started;
  int copying;
  int shared;
  const char* destination;  // the kind of the memory that copies go to
} thread;

// hold blocks signals, except those of faults, in this thread and in threads that it makes. release
// unblocks them in this thread. Signals must not reach XLA's threads: these have no signal stack,
// so that the system writes the handler's frame to the thread's stack. During oneDNN's matrix
// products the stack pointer is in the heap, and a signal, such as that of Go's profiler, would
// overwrite memory.
static sigset_t hold(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t others, before;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&others, faults[i]);
  pthread_sigmask(SIG_BLOCK, &others, &before);
  return before;
}

static void release(sigset_t before) { pthread_sigmask(SIG_SETMASK, &before, NULL); }

void setPrepare(Prepare prepare, uintptr_t user) {
  thread.prepare = prepare;
  thread.user = user;
}

void setCompiler(uintptr_t handle) { thread.compiler = handle; }

static Error* create(int slot, CreateArgs* args) {
  if (thread.prepare != NULL) thread.prepare(args, thread.user);
  sigset_t before = hold();
  Error* error = wrapped[slot]->client_create(args);
  release(before);
  thread.client = error == NULL ? args->client : NULL;
  return error;
}

void* madeClient(void) { return thread.client; }

Error* compileWith(const Api* api, CompileArgs* args) {
  sigset_t before = hold();
  Error* error = api->client_compile(args);
  release(before);
  return error;
}

static Error* compile(int slot, CompileArgs* args) {
  if (thread.compiler == 0) return compileWith(wrapped[slot], args);
  return gospmdCompile(thread.compiler, (Api*)wrapped[slot], args);
}

struct Started {
  const Api* api;
  int launch_id;
  atomic_int users;  // awaitStarted, and the callback of each device
  size_t devices, donated;
  void** buffers;  // the donated buffers
  Event** events;
  struct Device {
    Started* started;
    int index;
  } callbacks[];
};

void setStarting(int launch_id, bool tell) {
  thread.starting = launch_id;
  thread.tell = tell;
  thread.started = NULL;
}

Started* started(void) { return thread.started; }

static void dropStarted(Started* s) {
  if (atomic_fetch_sub(&s->users, 1) > 1) return;
  free(s->buffers);
  free(s->events);
  free(s);
}

// deviceEnded is the plugin's callback at the end of an execution on one device.
static void deviceEnded(Error* error, void* device) {
  struct Device* d = device;
  if (error != NULL) {
    char* text = takeMessage(d->started->api, error);
    gospmdDeviceFailed(d->started->launch_id, d->index, text);
    free(text);
  }
  dropStarted(d->started);
}

// The number of users of a tensor's memory is stored in front of the memory.
enum { ALIGNMENT = 64 };  // the alignment that XLA needs on CPUs

static atomic_size_t* usersOf(void* data) { return (atomic_size_t*)((char*)data - ALIGNMENT); }

void* newShared(size_t bytes) {
  void* memory;
  if (posix_memalign(&memory, ALIGNMENT, ALIGNMENT + bytes) != 0) return NULL;
  void* data = (char*)memory + ALIGNMENT;
  atomic_init(usersOf(data), 1);
  return data;
}

void dropShared(void* data) {
  if (atomic_fetch_sub(usersOf(data), 1) == 1) free(usersOf(data));
}

static void deleted(void* data, void* user) { dropShared(data); }

void setShared(int shared) { thread.shared = shared; }

static Error* view(int slot, ViewArgs* args) {
  if (!thread.shared) return wrapped[slot]->client_create_view(args);
  args->on_delete_callback = deleted;
  atomic_fetch_add(usersOf(args->data), 1);
  Error* error = wrapped[slot]->client_create_view(args);
  if (error != NULL) dropShared(args->data);
  return error;
}

void setCopying(int copying) { thread.copying = copying; }

// execute does not pass the events of an execution that is only started to go-xla, because go-xla
// would wait for them.
static Error* execute(int slot, ExecuteArgs* args) {
  const Api* api = wrapped[slot];
  if (!thread.starting) return api->loaded_execute(args);
  size_t n = args->num_devices;
  Started* s = calloc(1, sizeof *s + n * sizeof *s->callbacks);
  s->buffers = calloc(n * args->num_args, sizeof *s->buffers);
  s->events = calloc(n, sizeof *s->events);
  s->api = api;
  s->launch_id = thread.starting;
  if (thread.tell) args->options->launch_id = thread.starting;
  s->devices = n;
  atomic_init(&s->users, 1);
  args->device_complete_events = s->events;
  Error* error = api->loaded_execute(args);
  args->device_complete_events = NULL;
  if (error != NULL) {
    dropStarted(s);
    thread.started = NULL;
    return error;
  }
  thread.started = s;
  for (size_t i = 0; i < n; i++) {
    s->callbacks[i] = (struct Device){s, (int)i};
    OnReadyArgs ready = {sizeof ready, NULL, s->events[i], deviceEnded, &s->callbacks[i]};
    atomic_fetch_add(&s->users, 1);
    Error* refused = api->event_on_ready(&ready);
    if (refused != NULL) {  // only awaitStarted sees the end of the execution
      free(takeMessage(api, refused));
      dropStarted(s);
    }
  }
  return NULL;
}

// destroy replaces PJRT_Buffer_Destroy. go-xla destroys a buffer that it has donated while the
// execution still runs, and the plugin would wait for the end of the execution. So destroy keeps
// such a buffer until then.
static Error* destroy(int slot, BufferDestroyArgs* args) {
  if (!thread.starting || thread.started == NULL) return wrapped[slot]->buffer_destroy(args);
  thread.started->buffers[thread.started->donated++] = args->buffer;
  return NULL;
}

// findMemory returns the memory of a device of that kind, or NULL.
static void* findMemory(const Api* api, void* device, const char* kind) {
  if (api->device_memories == NULL || api->memory_kind == NULL || api->copy_to_memory == NULL) return NULL;
  MemoriesArgs all = {sizeof all, NULL, device, NULL, 0};
  Error* error = api->device_memories(&all);
  if (error != NULL) {
    free(takeMessage(api, error));
    return NULL;
  }
  for (size_t i = 0; i < all.num_memories; i++) {
    MemoryKindArgs of = {sizeof of, NULL, all.memories[i], NULL, 0};
    error = api->memory_kind(&of);
    if (error != NULL) {
      free(takeMessage(api, error));
      continue;
    }
    if (of.kind_size == strlen(kind) && memcmp(of.kind, kind, of.kind_size) == 0) return all.memories[i];
  }
  return NULL;
}

bool hasMemory(const Api* api, void* device, const char* kind) { return findMemory(api, device, kind) != NULL; }

void setDestination(const char* kind) { thread.destination = kind; }

static Error* copy(int slot, CopyToDeviceArgs* args) {
  const Api* api = wrapped[slot];
  if (thread.destination == NULL) return api->copy_to_device(args);
  CopyToMemoryArgs to = {sizeof to, NULL, args->buffer, findMemory(api, args->device, thread.destination), NULL};
  Error* error = api->copy_to_memory(&to);
  args->copy = to.copy;
  return error;
}

static Error* buffer(int slot, BufferArgs* args) {
  if (thread.copying) args->host_buffer_semantics = IMMUTABLE_ONLY_DURING_CALL;
  return wrapped[slot]->client_buffer_from_host(args);
}

#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#define DEFINE(n)                                                     \
  static Error* create##n(CreateArgs* args) { return create(n, args); } \
  static Error* compile##n(CompileArgs* args) { return compile(n, args); } \
  static Error* execute##n(ExecuteArgs* args) { return execute(n, args); } \
  static Error* buffer##n(BufferArgs* args) { return buffer(n, args); } \
  static Error* destroy##n(BufferDestroyArgs* args) { return destroy(n, args); } \
  static Error* copy##n(CopyToDeviceArgs* args) { return copy(n, args); } \
  static Error* view##n(ViewArgs* args) { return view(n, args); }
#define LIST(n) {create##n, compile##n, execute##n, buffer##n, destroy##n, copy##n, view##n},

EACH(DEFINE)
static const struct {
  Error* (*create)(CreateArgs*);
  Error* (*compile)(CompileArgs*);
  Error* (*execute)(ExecuteArgs*);
  Error* (*buffer)(BufferArgs*);
  Error* (*destroy)(BufferDestroyArgs*);
  Error* (*copy)(CopyToDeviceArgs*);
  Error* (*view)(ViewArgs*);
} functions[SLOTS] = {EACH(LIST)};

static char* message(const char* format, const char* detail) {
  size_t size = strlen(format) + strlen(detail) + 1;
  char* text = malloc(size);
  snprintf(text, size, format, detail);
  return text;
}

char* wrap(const char* path, int slot, Api** table) {
  void* library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return message("%s", dlerror());
  const Api* (*get_api)(void) = dlsym(library, "GetPjrtApi");
  if (get_api == NULL) return message("%s is no PJRT plugin: it has no GetPjrtApi", path);
  const Api* api = get_api();
  if (api == NULL || api->struct_size < sizeof(Api)) return message("%s has no table of PJRT's functions", path);
  Api* copy = malloc(api->struct_size);
  memcpy(copy, api, api->struct_size);
  copy->client_create = functions[slot].create;
  copy->client_compile = functions[slot].compile;
  copy->loaded_execute = functions[slot].execute;
  copy->client_buffer_from_host = functions[slot].buffer;
  copy->buffer_destroy = functions[slot].destroy;
  copy->copy_to_device = functions[slot].copy;
  copy->client_create_view = functions[slot].view;
  wrapped[slot] = api;
  *table = copy;
  return NULL;
}

// The following functions call other functions of the plugin.

char* takeMessage(const Api* api, Error* error) {
  ErrorMessageArgs m = {sizeof m, NULL, error, NULL, 0};
  api->error_message(&m);
  char* text = strndup(m.message, m.message_size);
  ErrorDestroyArgs d = {sizeof d, NULL, error};
  api->error_destroy(&d);
  return text;
}

static char* messageOf(const Api* api, Error* error) { return error == NULL ? NULL : takeMessage(api, error); }

bool haveEnded(const Started* s) {
  for (size_t i = 0; i < s->devices; i++) {
    IsReadyArgs args = {sizeof args, NULL, s->events[i], false};
    free(messageOf(s->api, s->api->event_is_ready(&args)));
    if (!args.is_ready) return false;
  }
  return true;
}

char* awaitStarted(Started* s) {
  char* failed = NULL;
  for (size_t i = 0; i < s->devices; i++) {
    EventArgs args = {sizeof args, NULL, s->events[i]};
    char* text = messageOf(s->api, s->api->event_await(&args));
    free(messageOf(s->api, s->api->event_destroy(&args)));
    if (failed == NULL) failed = text;
    else free(text);
  }
  for (size_t i = 0; i < s->donated; i++) {
    BufferDestroyArgs args = {sizeof args, NULL, s->buffers[i]};
    free(messageOf(s->api, s->api->buffer_destroy(&args)));
  }
  dropStarted(s);
  return failed;
}

char* devicesOf(const Api* api, DevicesArgs* args) {
  args->struct_size = sizeof *args;
  return messageOf(api, api->addressable_devices(args));
}

char* kindOf(const Api* api, void* device, KindArgs* out) {
  DescriptionArgs get = {sizeof get, NULL, device, NULL};
  Error* error = api->device_description(&get);
  if (error != NULL) return takeMessage(api, error);
  out->struct_size = sizeof *out;
  out->description = get.description;
  return messageOf(api, api->device_kind(out));
}

int64_t memoryOf(const Api* api, void* device) {
  if (api->device_memory == NULL) return 0;
  MemoryArgs args = {sizeof args, NULL, device};
  Error* error = api->device_memory(&args);
  if (error == NULL) return args.bytes_limit.is_set ? args.bytes_limit.value : 0;
  free(takeMessage(api, error));
  return 0;
}

char* serialize(const Api* api, Loaded* loaded, SerializeArgs* out) {
  if (api->executable_serialize == NULL) return strdup("it has no PJRT_Executable_Serialize");
  GetExecutableArgs get = {sizeof get, NULL, loaded, NULL};
  Error* error = api->get_executable(&get);
  if (error != NULL) return takeMessage(api, error);
  memset(out, 0, sizeof *out);
  out->struct_size = sizeof *out;
  out->executable = get.executable;
  error = api->executable_serialize(out);
  ExecutableDestroyArgs destroy = {sizeof destroy, NULL, get.executable};
  free(messageOf(api, api->executable_destroy(&destroy)));
  return messageOf(api, error);
}

void freeSerialized(SerializeArgs* args) {
  if (args->delete_serialized != NULL) args->delete_serialized(args->serialized);
}

char* deserialize(const Api* api, void* client, const char* bytes, size_t size, Loaded** out) {
  if (api->deserialize_and_load == NULL) return strdup("it has no PJRT_Executable_DeserializeAndLoad");
  DeserializeArgs args = {sizeof args, NULL, client, bytes, size, NULL, NULL, 0};
  sigset_t before = hold();
  Error* error = api->deserialize_and_load(&args);
  release(before);
  if (error != NULL) return takeMessage(api, error);
  *out = args.loaded;
  return NULL;
}
