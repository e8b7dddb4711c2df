// The options of hostclc. Each is a line here, and a line of command_line.cpp that says what it does.

include "llvm/Option/OptParser.td"

class On<string name, string help> : Flag<["--"], name>, HelpText<help>;
class With<string name, string value, string help>
    : Joined<["--"], name # "=">, MetaVarName<value>, HelpText<help>;

def assembly : On<"assembly", "print machine code as assembly">;
def autocomplete : Joined<["--"], "autocomplete=">, Flags<[HelpHidden]>;
def result_bits : With<"bits", "cpu|same", "same: compile so that results have the same bits on every CPU, as HOSTCL_BITS does">,
           Values<"cpu,same">;
def cache : With<"cache", "FOLDER", "compile into this cache folder, for an application that runs with "
                                    "HOSTCL_CACHE_DIR=FOLDER">;
def check : On<"check", "read SPIR-V files and report which are refused, and why">;
def checks : With<"checks", "NAME[,NAME]", "compile with these checks, or with all, as HOSTCL_CHECK does">;
def coverage : On<"coverage", "compile kernels that count how often each part of the source runs, as HOSTCL_COVERAGE "
                  "does">;
def cpu : With<"cpu", "NAME", "compile for this CPU, as LLVM names it (default: this machine's); with --cache "
                              "for each of NAME,NAME,...">;
def disjoint : On<"disjoint", "compile for launches whose buffers do not overlap">;
def apart : Flag<["--"], "apart">, Alias<disjoint>, Flags<[HelpHidden]>; // until the next release
def fallback_level : With<"fallback-level", "NAME", "compile at a fallback level: plain (without heuristics), "
                                                     "scalar (also one work-item at a time), bare (without "
                                                     "optimisations)">, Values<"plain,scalar,bare">;
def form : Joined<["--"], "form=">, Alias<fallback_level>, Flags<[HelpHidden]>; // until the next release
def global : With<"global", "X[,Y,Z]", "compile for launches with this global size (default: 1048576)">;
def help : On<"help", "print this">;
def images : With<"images", "PROPERTIES", "compile for image and sampler arguments with these properties, such as "
                                          "0=10b5.10d2s,1=14">;
def kernel : With<"kernel", "NAME", "only this kernel (default: all)">;
def lacks : With<"lacks", "NAME[,NAME]", "compile for a device that lacks these extensions and features, such as "
                                         "cl_khr_fp64">;
def local : With<"local", "X[,Y,Z]", "compile for launches with this local size (default: 64)">;
def newest_c : With<"newest-c", "VERSION", "compile for a device whose newest OpenCL C this is, such as 1.2">;
def newest_spirv : With<"newest-spirv", "VERSION", "compile for a device whose newest SPIR-V this is, such as 1.2">;
def passes : With<"passes", "LIST", "run passes on IR, print the result">;
def print : With<"print", "STEP", "print the IR after a step, given by number or name; list prints the kernel's "
                                  "steps, read prints the IR of a SPIR-V module as read">;
def print_plan : On<"print-plan", "print how the vectoriser writes each instruction for all lanes">;
def print_values : On<"print-values", "print what is known of the kernel's values before it is vectorised">;
def stop_after : With<"stop-after", "STEP", "skip all optimisations after this step, given by number or name, as "
                                            "HOSTCL_STOP_AFTER does; help lists the steps">;
def sub_group_sizes : With<"sub-group-sizes", "N[,N]", "compile for a device with these sub-group sizes; kernels that "
                                                       "use sub-groups and require no size have the first one">;
def tier0 : On<"tier0", "compile tier 0 code, which runs launches of all sizes">;
def time : On<"time", "print the CPU time of each step">;
def time_passes : On<"time-passes", "print the time of each of LLVM's and hostcl's passes">;
def universal : Flag<["--"], "universal">, Alias<tier0>, Flags<[HelpHidden]>; // until the next release
def version : On<"version", "print the versions of hostcl and LLVM">;
def width : With<"width", "N", "work-items per vector, as HOSTCL_WIDTH sets (default: what suits the kernel)">;
def without : With<"without", "NAME[,NAME]", "turn these heuristics off; help lists them">;

// Options of OpenCL whose argument may be the next word. All others are passed on as they are.
def define : JoinedOrSeparate<["-"], "D">;
def includes : JoinedOrSeparate<["-"], "I">;
def undefine : JoinedOrSeparate<["-"], "U">;
