// A plugin that cannot serialize: it lacks the functions for that. It compiles any module that is
// not empty, to nothing.

#include <stddef.h>
#include <string.h>

#include "pjrt_c_api.h"

struct PJRT_Error {
  const char* message;
};

static PJRT_Error failure = {"it is empty"};

static void errorDestroy(PJRT_Error_Destroy_Args* a) {}

static void errorMessage(PJRT_Error_Message_Args* a) {
  a->message = a->error->message;
  a->message_size = strlen(a->error->message);
}

static PJRT_Error* errorCode(PJRT_Error_GetCode_Args* a) {
  a->code = PJRT_Error_Code_UNIMPLEMENTED;
  return NULL;
}

static PJRT_Error* initialize(PJRT_Plugin_Initialize_Args* a) { return NULL; }

static PJRT_Error* attributes(PJRT_Plugin_Attributes_Args* a) {
  a->attributes = NULL;
  a->num_attributes = 0;
  return NULL;
}

static PJRT_Error* clientCreate(PJRT_Client_Create_Args* a) {
  static char client;
  a->client = (PJRT_Client*)&client;
  return NULL;
}

static PJRT_Error* clientDestroy(PJRT_Client_Destroy_Args* a) { return NULL; }

static PJRT_Error* platformName(PJRT_Client_PlatformName_Args* a) {
  a->platform_name = "old";
  a->platform_name_size = 3;
  return NULL;
}

static PJRT_Error* platformVersion(PJRT_Client_PlatformVersion_Args* a) {
  a->platform_version = "1";
  a->platform_version_size = 1;
  return NULL;
}

static PJRT_Error* processIndex(PJRT_Client_ProcessIndex_Args* a) {
  a->process_index = 0;
  return NULL;
}

static PJRT_Error* devices(PJRT_Client_Devices_Args* a) {
  a->num_devices = 0;
  return NULL;
}

// The first device returns the size of its memory, the second says that it has no limit, the third
// returns an error.
static char device[3];

static PJRT_Error* addressable(PJRT_Client_AddressableDevices_Args* a) {
  static PJRT_Device* all[] = {(PJRT_Device*)&device[0], (PJRT_Device*)&device[1], (PJRT_Device*)&device[2]};
  a->addressable_devices = all;
  a->num_addressable_devices = 3;
  return NULL;
}

static PJRT_Error* description(PJRT_Device_GetDescription_Args* a) {
  a->device_description = (PJRT_DeviceDescription*)a->device;
  return NULL;
}

static PJRT_Error* kind(PJRT_DeviceDescription_Kind_Args* a) {
  static const char* const kinds[] = {"abacus", "tape", "slate"};
  a->device_kind = kinds[(char*)a->device_description - device];
  a->device_kind_size = strlen(a->device_kind);
  return NULL;
}

static PJRT_Error* hardwareId(PJRT_Device_LocalHardwareId_Args* a) {
  a->local_hardware_id = -1;
  return NULL;
}

static PJRT_Error* deviceMemory(PJRT_Device_MemoryStats_Args* a) {
  a->bytes_in_use = 7;
  a->bytes_limit = 1 << 20;
  a->bytes_limit_is_set = a->device == (PJRT_Device*)&device[0];
  return a->device == (PJRT_Device*)&device[2] ? &failure : NULL;
}

static PJRT_Error* compile(PJRT_Client_Compile_Args* a) {
  static char loaded;
  if (a->program->code_size == 1) return &failure;
  a->executable = (PJRT_LoadedExecutable*)&loaded;
  return NULL;
}

static PJRT_Error* loadedDestroy(PJRT_LoadedExecutable_Destroy_Args* a) { return NULL; }

static PJRT_Error* getExecutable(PJRT_LoadedExecutable_GetExecutable_Args* a) {
  static char executable;
  a->executable = (PJRT_Executable*)&executable;
  return NULL;
}

static PJRT_Error* executableDestroy(PJRT_Executable_Destroy_Args* a) { return NULL; }

static PJRT_Error* executableName(PJRT_Executable_Name_Args* a) {
  a->executable_name = "nothing";
  a->executable_name_size = 7;
  return NULL;
}

static PJRT_Error* numOutputs(PJRT_Executable_NumOutputs_Args* a) {
  a->num_outputs = 1;
  return NULL;
}

static PJRT_Error* memoryStats(PJRT_Executable_GetCompiledMemoryStats_Args* a) { return NULL; }

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
  api.PJRT_Client_Destroy = clientDestroy;
  api.PJRT_Client_PlatformName = platformName;
  api.PJRT_Client_PlatformVersion = platformVersion;
  api.PJRT_Client_ProcessIndex = processIndex;
  api.PJRT_Client_Devices = devices;
  api.PJRT_Client_AddressableDevices = addressable;
  api.PJRT_Device_GetDescription = description;
  api.PJRT_DeviceDescription_Kind = kind;
  api.PJRT_Device_LocalHardwareId = hardwareId;
  api.PJRT_Device_MemoryStats = deviceMemory;
  api.PJRT_Client_Compile = compile;
  api.PJRT_LoadedExecutable_Destroy = loadedDestroy;
  api.PJRT_LoadedExecutable_GetExecutable = getExecutable;
  api.PJRT_Executable_Destroy = executableDestroy;
  api.PJRT_Executable_Name = executableName;
  api.PJRT_Executable_NumOutputs = numOutputs;
  api.PJRT_Executable_GetCompiledMemoryStats = memoryStats;
  return &api;
}
