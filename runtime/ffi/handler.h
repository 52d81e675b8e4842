// The part of XLA's foreign function interface (xla/ffi/api/c_api.h) and of PJRT's extension for it
// (pjrt_c_api_ffi_extension.h) that this package uses. The fields have XLA's order. Fields that are
// not used here are pointers or sizes without types.

#ifndef GOSPMD_FFI_HANDLER_H_
#define GOSPMD_FFI_HANDLER_H_

#include <stddef.h>
#include <stdint.h>

typedef struct Extension {
  size_t struct_size;
  int type;
  struct Extension* next;
} Extension;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  int major_version, minor_version;
} ApiVersion;

// Values.

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  int dtype;
  void* data;
  int64_t rank;
  int64_t* dims;
} Buffer;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  int64_t size;
  int* types;
  Buffer** values;
} Buffers;  // the operands, or the results

typedef struct {
  const char* ptr;
  size_t len;
} Span;

typedef struct {
  int dtype;
  void* value;
} Scalar;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  int64_t size;
  int* types;
  Span** names;
  void** values;
} Attributes;

typedef struct {
  int dtype;
  size_t size;
  void* data;
} ArrayAttribute;

enum { ATTRIBUTE_ARRAY = 1, ATTRIBUTE_SCALAR = 3 };

// Calls.

// The requests of a handler to XLA. XLA sets the last fields of the arguments.

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  const char* message;
  int code;
} ErrorArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  void* error;
  const char* message;
} ErrorMessageArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  void* error;
} ErrorDestroyArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  void* future;
} FutureArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  void* future;
  void* error;
} FutureErrorArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  void* context;
  int64_t run;
} RunArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  void* context;
  int32_t device;
} DeviceArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  ApiVersion api_version;
  void* internal_api;
  void* (*error_create)(ErrorArgs*);
  void (*error_message)(ErrorMessageArgs*);
  void (*error_destroy)(ErrorDestroyArgs*);
  void *handler_register, *stream, *type_register, *context_get, *state_set, *state_get, *allocate, *deallocate, *schedule, *threads;
  void* (*future_create)(FutureArgs*);
  void* (*future_available)(FutureArgs*);
  void* (*future_error)(FutureErrorArgs*);
  void* (*run_id)(RunArgs*);
  void* (*device_ordinal)(DeviceArgs*);
} Api;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  const Api* api;
  void* context;
  int stage;
  Buffers args, rets;
  Attributes attrs;
  void* future;  // set by a handler whose call ends later
} CallFrame;

enum { STAGE_EXECUTE = 3, ERROR_INTERNAL = 13 };

typedef struct {
  size_t struct_size;
  ApiVersion api_version;
  uint32_t traits;
} Metadata;

typedef struct {
  Extension base;
  Metadata* metadata;
} MetadataExtension;

enum { EXTENSION_METADATA = 1 };

typedef void* (*Handler)(CallFrame*);

// SLOTS is the number of handler functions for LAPACK's targets.
enum { SLOTS = 64 };
extern const Handler handlers[SLOTS];

// handleCollective is the handler of collectives between processes.
void* handleCollective(CallFrame* frame);

// handleShared is the handler of collectives among the devices of this process.
void* handleShared(CallFrame* frame);

// registerHandler registers handler for a target. It returns an error message, which the caller
// frees, or NULL.
char* registerHandler(const char* plugin, const char* target, Handler handler);

// versionQueries counts how often XLA has asked a handler for its version.
int versionQueries(void);

// answersVersion answers if XLA asks for the version of its interface that a handler was written
// for: it answers with XLA's own version. It returns 0 if the call asks for something else.
int answersVersion(CallFrame* frame);

// failure returns an error of XLA with the message.
void* failure(const Api* api, const char* message);

// newFuture tells XLA that a call ends later, when setFuture is called. It returns an error
// message, which the caller frees, or NULL.
char* newFuture(CallFrame* frame);

// setFuture ends a call: with an error, unless message is NULL. XLA continues the device's program
// on the thread that calls setFuture.
void setFuture(const Api* api, void* future, const char* message);

#endif
