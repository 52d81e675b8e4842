// A PJRT plugin whose clients put and get values when they are created. The creation then fails
// with a text that has the results. It is compiled with go-xla's header.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt_c_api.h"

struct PJRT_Error {
  PJRT_Error_Code code;
  char* message;
  size_t size;
};

static PJRT_Error* makeError(PJRT_Error_Code code, const char* message, size_t size) {
  PJRT_Error* e = malloc(sizeof *e);
  e->code = code;
  e->message = malloc(size);
  memcpy(e->message, message, size);
  e->size = size;
  return e;
}

static void errorDestroy(PJRT_Error_Destroy_Args* a) {
  free(a->error->message);
  free(a->error);
}

static void errorMessage(PJRT_Error_Message_Args* a) {
  a->message = a->error->message;
  a->message_size = a->error->size;
}

static PJRT_Error* errorCode(PJRT_Error_GetCode_Args* a) {
  a->code = a->error->code;
  return NULL;
}

static PJRT_Error* initialize(PJRT_Plugin_Initialize_Args* a) { return NULL; }

static PJRT_Error* attributes(PJRT_Plugin_Attributes_Args* a) {
  a->attributes = NULL;
  a->num_attributes = 0;
  return NULL;
}

static char text[4096];
static size_t used;

static void say(const char* what, const char* s, size_t size) {
  used += snprintf(text + used, sizeof text - used, "%s=", what);
  for (size_t i = 0; i < size; i++) used += snprintf(text + used, sizeof text - used, s[i] == 0 ? "<0>" : "%c", s[i]);
  used += snprintf(text + used, sizeof text - used, "\n");
}

static void sayError(const char* what, PJRT_Error* e) {
  char name[100];
  snprintf(name, sizeof name, "%s: error %d", what, e->code);
  say(name, e->message, e->size);
  PJRT_Error_Destroy_Args d = {.error = e};
  errorDestroy(&d);
}

static PJRT_CallbackError callback_error = makeError;

static void get(PJRT_Client_Create_Args* c, const char* key, int timeout) {
  PJRT_KeyValueGetCallback_Args a = {.struct_size = PJRT_KeyValueGetCallback_Args_STRUCT_SIZE, .key = key, .key_size = strlen(key),
      .timeout_in_ms = timeout, .callback_error = &callback_error, .user_arg = c->kv_get_user_arg};
  PJRT_Error* e = c->kv_get_callback(&a);
  if (e != NULL) {
    sayError("get", e);
    return;
  }
  say("get", a.value, a.value_size);
  a.value_deleter_callback(a.value);
}

static void tryGet(PJRT_Client_Create_Args* c, const char* key) {
  PJRT_KeyValueTryGetCallback_Args a = {.struct_size = PJRT_KeyValueTryGetCallback_Args_STRUCT_SIZE, .key = key, .key_size = strlen(key),
      .callback_error = &callback_error, .user_arg = c->kv_try_get_user_arg};
  PJRT_Error* e = c->kv_try_get_callback(&a);
  if (e != NULL) {
    sayError("try", e);
    return;
  }
  say("try", a.value, a.value_size);
  a.value_deleter_callback(a.value);
}

static void put(PJRT_Client_Create_Args* c, const char* key, const char* value, size_t size) {
  PJRT_KeyValuePutCallback_Args a = {.struct_size = PJRT_KeyValuePutCallback_Args_STRUCT_SIZE, .key = key, .key_size = strlen(key),
      .value = value, .value_size = size, .callback_error = &callback_error, .user_arg = c->kv_put_user_arg};
  PJRT_Error* e = c->kv_put_callback(&a);
  if (e != NULL) sayError("put", e);
}

// Node 0 sets a key, and all nodes get it.
static PJRT_Error* clientCreate(PJRT_Client_Create_Args* c) {
  used = 0;
  if (c->kv_get_callback == NULL) return makeError(PJRT_Error_Code_UNIMPLEMENTED, "no store", 8);
  long node = -1;
  for (size_t i = 0; i < c->num_options; i++) {
    const PJRT_NamedValue* o = &c->create_options[i];
    char value[40];
    snprintf(value, sizeof value, "%lld", o->type == PJRT_NamedValue_kInt64 ? (long long)o->int64_value : -1LL);
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)o->name_size, o->name);
    say(name, value, strlen(value));
    if (strcmp(name, "node_id") == 0) node = (long)o->int64_value;
  }
  if (node == 0) put(c, "topology", "two\0nodes", 9);
  get(c, "topology", 60000);
  tryGet(c, "topology");
  tryGet(c, "nobody sets it");
  get(c, "nobody sets it", 50);
  return makeError(PJRT_Error_Code_UNIMPLEMENTED, text, used);
}

const PJRT_Api* GetPjrtApi() {
  static PJRT_Api api;
  api.struct_size = PJRT_Api_STRUCT_SIZE;
  api.pjrt_api_version.struct_size = PJRT_Api_Version_STRUCT_SIZE;
  api.pjrt_api_version.major_version = PJRT_API_MAJOR;
  api.pjrt_api_version.minor_version = PJRT_API_MINOR;
  api.PJRT_Error_Destroy = errorDestroy;
  api.PJRT_Error_Message = errorMessage;
  api.PJRT_Error_GetCode = errorCode;
  api.PJRT_Plugin_Initialize = initialize;
  api.PJRT_Plugin_Attributes = attributes;
  api.PJRT_Client_Create = clientCreate;
  return &api;
}
