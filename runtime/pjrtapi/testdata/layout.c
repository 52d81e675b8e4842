// Compiles only if pjrt.h has the layout of PJRT's own header.

#include "../pjrt.h"
#include "pjrt_c_api.h"

#define SAME(ours, field, theirs, name) _Static_assert(offsetof(ours, field) == offsetof(theirs, name), #ours "." #field)
#define SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #ours)

SAME(Extension, type, PJRT_Extension_Base, type);
SAME(Extension, next, PJRT_Extension_Base, next);
SIZE(Extension, PJRT_Extension_Base);
SAME(Api, extension_start, PJRT_Api, extension_start);
SAME(Api, version.minor_version, PJRT_Api, pjrt_api_version.minor_version);
SAME(Api, error_destroy, PJRT_Api, PJRT_Error_Destroy);
SAME(Api, error_message, PJRT_Api, PJRT_Error_Message);
SAME(Api, client_create, PJRT_Api, PJRT_Client_Create);
SAME(Api, client_compile, PJRT_Api, PJRT_Client_Compile);
SAME(Api, client_buffer_from_host, PJRT_Api, PJRT_Client_BufferFromHostBuffer);
SAME(BufferArgs, host_buffer_semantics, PJRT_Client_BufferFromHostBuffer_Args, host_buffer_semantics);
_Static_assert(sizeof(((BufferArgs*)0)->host_buffer_semantics) == sizeof(PJRT_HostBufferSemantics), "semantics");
_Static_assert(IMMUTABLE_ONLY_DURING_CALL == PJRT_HostBufferSemantics_kImmutableOnlyDuringCall, "semantics");
SAME(Api, client_create_view, PJRT_Api, PJRT_Client_CreateViewOfDeviceBuffer);
SAME(ViewArgs, data, PJRT_Client_CreateViewOfDeviceBuffer_Args, device_buffer_ptr);
SAME(ViewArgs, on_delete_callback, PJRT_Client_CreateViewOfDeviceBuffer_Args, on_delete_callback);
SAME(ViewArgs, on_delete_callback_arg, PJRT_Client_CreateViewOfDeviceBuffer_Args, on_delete_callback_arg);
SAME(Api, addressable_devices, PJRT_Api, PJRT_Client_AddressableDevices);
SAME(Api, device_kind, PJRT_Api, PJRT_DeviceDescription_Kind);
SAME(Api, device_description, PJRT_Api, PJRT_Device_GetDescription);
SAME(Api, executable_destroy, PJRT_Api, PJRT_Executable_Destroy);
SAME(Api, executable_serialize, PJRT_Api, PJRT_Executable_Serialize);
SAME(Api, get_executable, PJRT_Api, PJRT_LoadedExecutable_GetExecutable);
SAME(Api, event_destroy, PJRT_Api, PJRT_Event_Destroy);
SAME(Api, event_await, PJRT_Api, PJRT_Event_Await);
SAME(Api, loaded_execute, PJRT_Api, PJRT_LoadedExecutable_Execute);
SAME(Api, deserialize_and_load, PJRT_Api, PJRT_Executable_DeserializeAndLoad);

SAME(ErrorDestroyArgs, error, PJRT_Error_Destroy_Args, error);
SIZE(ErrorDestroyArgs, PJRT_Error_Destroy_Args);
SAME(ErrorMessageArgs, error, PJRT_Error_Message_Args, error);
SAME(ErrorMessageArgs, message, PJRT_Error_Message_Args, message);
SAME(ErrorMessageArgs, message_size, PJRT_Error_Message_Args, message_size);
SIZE(ErrorMessageArgs, PJRT_Error_Message_Args);
SAME(Program, code, PJRT_Program, code);
SAME(Program, code_size, PJRT_Program, code_size);
SAME(Program, format_size, PJRT_Program, format_size);
SAME(CreateArgs, client, PJRT_Client_Create_Args, client);
SIZE(CreateArgs, PJRT_Client_Create_Args);
SAME(MemoryArgs, device, PJRT_Device_MemoryStats_Args, device);
SAME(MemoryArgs, bytes_limit.value, PJRT_Device_MemoryStats_Args, bytes_limit);
SAME(MemoryArgs, bytes_limit.is_set, PJRT_Device_MemoryStats_Args, bytes_limit_is_set);
SIZE(MemoryArgs, PJRT_Device_MemoryStats_Args);
SAME(Api, device_memory, PJRT_Api, PJRT_Device_MemoryStats);
SAME(CompileArgs, client, PJRT_Client_Compile_Args, client);
SAME(CompileArgs, program, PJRT_Client_Compile_Args, program);
SAME(CompileArgs, compile_options, PJRT_Client_Compile_Args, compile_options);
SAME(CompileArgs, compile_options_size, PJRT_Client_Compile_Args, compile_options_size);
SAME(CompileArgs, executable, PJRT_Client_Compile_Args, executable);
SIZE(CompileArgs, PJRT_Client_Compile_Args);
SAME(DevicesArgs, client, PJRT_Client_AddressableDevices_Args, client);
SAME(DevicesArgs, devices, PJRT_Client_AddressableDevices_Args, addressable_devices);
SAME(DevicesArgs, num_devices, PJRT_Client_AddressableDevices_Args, num_addressable_devices);
SIZE(DevicesArgs, PJRT_Client_AddressableDevices_Args);
SAME(DescriptionArgs, device, PJRT_Device_GetDescription_Args, device);
SAME(DescriptionArgs, description, PJRT_Device_GetDescription_Args, device_description);
SIZE(DescriptionArgs, PJRT_Device_GetDescription_Args);
SAME(KindArgs, description, PJRT_DeviceDescription_Kind_Args, device_description);
SAME(KindArgs, kind, PJRT_DeviceDescription_Kind_Args, device_kind);
SAME(KindArgs, kind_size, PJRT_DeviceDescription_Kind_Args, device_kind_size);
SIZE(KindArgs, PJRT_DeviceDescription_Kind_Args);
SAME(EventArgs, event, PJRT_Event_Await_Args, event);
SIZE(EventArgs, PJRT_Event_Await_Args);
SAME(EventArgs, event, PJRT_Event_Destroy_Args, event);
SIZE(EventArgs, PJRT_Event_Destroy_Args);
SAME(ExecuteArgs, num_devices, PJRT_LoadedExecutable_Execute_Args, num_devices);
SAME(ExecuteArgs, device_complete_events, PJRT_LoadedExecutable_Execute_Args, device_complete_events);
SIZE(ExecuteArgs, PJRT_LoadedExecutable_Execute_Args);
SAME(ExecutableDestroyArgs, executable, PJRT_Executable_Destroy_Args, executable);
SIZE(ExecutableDestroyArgs, PJRT_Executable_Destroy_Args);
SAME(SerializeArgs, executable, PJRT_Executable_Serialize_Args, executable);
SAME(SerializeArgs, bytes, PJRT_Executable_Serialize_Args, serialized_bytes);
SAME(SerializeArgs, size, PJRT_Executable_Serialize_Args, serialized_bytes_size);
SAME(SerializeArgs, serialized, PJRT_Executable_Serialize_Args, serialized_executable);
SAME(SerializeArgs, delete_serialized, PJRT_Executable_Serialize_Args, serialized_executable_deleter);
SIZE(SerializeArgs, PJRT_Executable_Serialize_Args);
SAME(GetExecutableArgs, loaded, PJRT_LoadedExecutable_GetExecutable_Args, loaded_executable);
SAME(GetExecutableArgs, executable, PJRT_LoadedExecutable_GetExecutable_Args, executable);
SIZE(GetExecutableArgs, PJRT_LoadedExecutable_GetExecutable_Args);
SAME(DeserializeArgs, client, PJRT_Executable_DeserializeAndLoad_Args, client);
SAME(DeserializeArgs, bytes, PJRT_Executable_DeserializeAndLoad_Args, serialized_executable);
SAME(DeserializeArgs, size, PJRT_Executable_DeserializeAndLoad_Args, serialized_executable_size);
SAME(DeserializeArgs, loaded, PJRT_Executable_DeserializeAndLoad_Args, loaded_executable);
SAME(DeserializeArgs, overridden_options, PJRT_Executable_DeserializeAndLoad_Args, overridden_serialized_compile_options);
SIZE(DeserializeArgs, PJRT_Executable_DeserializeAndLoad_Args);
