// The part of XLA's foreign function interface (xla/ffi/api/c_api.h) and of
// PJRT's extension for it (pjrt_c_api_ffi_extension.h) that this package uses.
// Fields keep XLA's order; those of no use here are pointers or sizes without
// their types.

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

enum { ATTRIBUTE_SCALAR = 3 };

// Calls.

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  const char* message;
  int code;
} ErrorArgs;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  ApiVersion api_version;
  void* internal_api;
  void* (*error_create)(ErrorArgs*);
} Api;

typedef struct {
  size_t struct_size;
  Extension* extension_start;
  const Api* api;
  void* context;
  int stage;
  Buffers args, rets;
  Attributes attrs;
  void* future;
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

// registerHandler makes slot the handler of a target. It returns a message that
// the caller frees, or NULL.
char* registerHandler(const char* plugin, const char* target, int slot);

// SLOTS is the number of handlers that there are.
enum { SLOTS = 64 };

#endif
