// The options of hostcl-doctor.

include "llvm/Option/OptParser.td"

class On<string name, string help> : Flag<["--"], name>, HelpText<help>;
class With<string name, string value, string help>
    : Joined<["--"], name # "=">, MetaVarName<value>, HelpText<help>;

def autocomplete : Joined<["--"], "autocomplete=">, Flags<[HelpHidden]>;
def device : With<"device", "PLATFORM:DEVICE", "the device that --report describes, by numbers in the loader's order "
                  "(default: hostcl's)">;
def help : On<"help", "print this">;
def json : On<"json", "print the findings as JSON">;
def loader : With<"loader", "FILE", "the ICD loader, for applications that bring one (default: libOpenCL.so.1)">;
def patience : With<"patience", "SECONDS", "how long a library may take in a process of its own (default: 20)">;
def report : On<"report", "print a description of a device, for HOSTCL_DEVICE">;
def report_EQ : With<"report", "FILE", "write the description into a file">;
def version : On<"version", "print the versions of hostcl and LLVM">;
