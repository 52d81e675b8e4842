//go:build cgo

// The handler of collectives between processes. It returns at once. The call ends when its future
// is set.

#include <stdlib.h>
#include <string.h>

#include "handler.h"

#include "_cgo_export.h"

// textOf destroys an error, and returns its message, which the caller frees.
static char* textOf(const Api* api, void* error) {
  ErrorMessageArgs m = {sizeof m, NULL, error, NULL};
  api->error_message(&m);
  char* text = strdup(m.message);
  ErrorDestroyArgs d = {sizeof d, NULL, error};
  api->error_destroy(&d);
  return text;
}

void* handleCollective(CallFrame* frame) {
  if (answersVersion(frame) || frame->stage != STAGE_EXECUTE) return NULL;
  const Api* api = frame->api;
  if (api->struct_size < sizeof *api) return failure(api, "this plugin has no calls that end later, which collectives between processes need");
  RunArgs run = {sizeof run, NULL, frame->context, 0};
  void* error = api->run_id(&run);
  if (error) return error;
  DeviceArgs device = {sizeof device, NULL, frame->context, 0};
  error = api->device_ordinal(&device);
  if (error) return error;
  char* message = gospmdCollective(frame, run.run, device.device);
  if (!message) return NULL;
  error = failure(api, message);
  free(message);
  return error;
}

char* newFuture(CallFrame* frame) {
  FutureArgs args = {sizeof args, NULL, NULL};
  void* error = frame->api->future_create(&args);
  if (error) return textOf(frame->api, error);
  frame->future = args.future;
  return NULL;
}

void setFuture(const Api* api, void* future, const char* message) {
  void* error;
  if (message) {
    FutureErrorArgs args = {sizeof args, NULL, future, failure(api, message)};
    error = api->future_error(&args);
  } else {
    FutureArgs args = {sizeof args, NULL, future};
    error = api->future_available(&args);
  }
  if (error) free(textOf(api, error));  // on an error the future is not XLA's, and nothing waits for it
}
