#pragma once

/// The beginning of a compile server, which the driver alone has (icd/server.cpp). The dynamic loader runs the driver's
/// file with the arguments that ServerProcess gives it.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] int hcl_serve(int count, char** arguments);
