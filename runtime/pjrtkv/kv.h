// The part of PJRT's interface (xla/pjrt/c/pjrt_c_api.h) that this package uses. The fields have
// XLA's order. Fields that are not used here are untyped pointers.

#ifndef GOSPMD_PJRTKV_KV_H_
#define GOSPMD_PJRTKV_KV_H_

#include <stddef.h>
#include <stdint.h>

typedef struct Error Error;  // PJRT_Error

// Makes an error of the plugin: PJRT_CallbackError.
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

// addCallbacks sets the callbacks to a store in the arguments of the client that is being made.
// user is the handle of Go's client.
void addCallbacks(CreateArgs* args, uintptr_t user);

#endif
