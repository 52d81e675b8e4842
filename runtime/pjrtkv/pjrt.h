// The part of PJRT's interface (xla/pjrt/c/pjrt_c_api.h) that this package uses.
// Fields keep XLA's order; those of no use here are pointers without their types.

#ifndef GOSPMD_PJRTKV_PJRT_H_
#define GOSPMD_PJRTKV_PJRT_H_

#include <stddef.h>
#include <stdint.h>

typedef struct Error Error;  // PJRT_Error

// Makes an error of the plugin's: PJRT_CallbackError.
typedef Error* (*MakeError)(int code, const char* message, size_t message_size);

typedef struct {
  size_t struct_size;
  void* extension_start;
  const char* key;
  size_t key_size;
  int timeout_in_ms;
  MakeError* make_error;
  void* user_arg;
  char* value;
  size_t value_size;
  void (*delete_value)(char* value);
} GetArgs;  // PJRT_KeyValueGetCallback_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const char* key;
  size_t key_size;
  MakeError* make_error;
  void* user_arg;
  char* value;
  size_t value_size;
  void (*delete_value)(char* value);
} TryGetArgs;  // PJRT_KeyValueTryGetCallback_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const char* key;
  size_t key_size;
  const char* value;
  size_t value_size;
  MakeError* make_error;
  void* user_arg;
} PutArgs;  // PJRT_KeyValuePutCallback_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  const void* create_options;
  size_t num_options;
  Error* (*get)(GetArgs*);
  void* get_user_arg;
  Error* (*put)(PutArgs*);
  void* put_user_arg;
  void* client;
  Error* (*try_get)(TryGetArgs*);
  void* try_get_user_arg;
} CreateArgs;  // PJRT_Client_Create_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  void* client;
  const void* program;
  const char* compile_options;
  size_t compile_options_size;
  void* executable;
} CompileArgs;  // PJRT_Client_Compile_Args

typedef struct {
  size_t struct_size;
  void* extension_start;
  struct {
    size_t struct_size;
    void* extension_start;
    int major_version, minor_version;
  } version;
  void* before[10];  // of errors, plugins and events
  Error* (*client_create)(CreateArgs*);
  void* between[9];  // of clients
  Error* (*client_compile)(CompileArgs*);
} Api;  // PJRT_Api, of which more follows

// wrapPlugin loads a plugin and returns a copy of its table whose clients are made,
// and whose programs compiled, by way of this package. It returns a message, which the caller frees, or nil.
char* wrapPlugin(const char* path, Api** table);

// setAssignment makes what this thread compiles a program for these devices, which
// stay the caller's; none ends that.
void setAssignment(const int64_t* devices, size_t size);

#endif
