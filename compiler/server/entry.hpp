#pragma once

/// The main function of the driver's shared library when it is executed as a compile server. Only the driver defines
/// this function (icd/server.cpp), so it is null in other programs. The dynamic loader runs the driver's file with the
/// arguments that ServerProcess passes.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] int hcl_serve(int count, char** arguments);
