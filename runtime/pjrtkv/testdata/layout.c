// Compiles only if kv.h has the layout of PJRT's own header.

#include "../kv.h"
#include "pjrt_c_api.h"

#define SAME(ours, field, theirs, name) _Static_assert(offsetof(ours, field) == offsetof(theirs, name), #ours "." #field)

SAME(CreateArgs, get, PJRT_Client_Create_Args, kv_get_callback);
SAME(CreateArgs, get_user_arg, PJRT_Client_Create_Args, kv_get_user_arg);
SAME(CreateArgs, put, PJRT_Client_Create_Args, kv_put_callback);
SAME(CreateArgs, put_user_arg, PJRT_Client_Create_Args, kv_put_user_arg);
SAME(CreateArgs, try_get, PJRT_Client_Create_Args, kv_try_get_callback);
SAME(CreateArgs, try_get_user_arg, PJRT_Client_Create_Args, kv_try_get_user_arg);
SAME(GetArgs, timeout_in_ms, PJRT_KeyValueGetCallback_Args, timeout_in_ms);
SAME(GetArgs, make_error, PJRT_KeyValueGetCallback_Args, callback_error);
SAME(GetArgs, value, PJRT_KeyValueGetCallback_Args, value);
SAME(GetArgs, delete_value, PJRT_KeyValueGetCallback_Args, value_deleter_callback);
SAME(TryGetArgs, make_error, PJRT_KeyValueTryGetCallback_Args, callback_error);
SAME(TryGetArgs, user_arg, PJRT_KeyValueTryGetCallback_Args, user_arg);
SAME(TryGetArgs, value, PJRT_KeyValueTryGetCallback_Args, value);
SAME(TryGetArgs, delete_value, PJRT_KeyValueTryGetCallback_Args, value_deleter_callback);
SAME(PutArgs, value, PJRT_KeyValuePutCallback_Args, value);
SAME(PutArgs, make_error, PJRT_KeyValuePutCallback_Args, callback_error);
SAME(PutArgs, user_arg, PJRT_KeyValuePutCallback_Args, user_arg);
