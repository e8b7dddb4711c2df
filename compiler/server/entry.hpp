#pragma once

/// The main function of a compile server, which only the driver contains (icd/server.cpp); null in other programs. The
/// dynamic loader runs the driver's file with the arguments that ServerProcess passes.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] int hcl_serve(int count, char** arguments);
