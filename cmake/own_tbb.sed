# Makes the driver's own oneTBB out of the system's library. Nothing in it may have a name that another oneTBB in the
# process has, neither its symbols, which would be taken for that one's or the other way round, nor its SONAME: a second
# library of that name is not even loaded. All names keep their length.

# The namespace, tbb::, which the driver compiles oneTBB's headers with as well: -Dtbb=tcA. The dynamic linker finds a
# symbol by the hash value in the library's table, h = 33 * h + c over the characters; this name has the value of the
# old one, because 33 * 'b' + 'b' = 33 * 'c' + 'A', and so has the next one: 33 * 'r' + 'u' = 33 * 's' + 'T'.
s/3tbb6detail/3tcA6detail/g
s/TBB_runtime/TBB_sTntime/g

# The SONAME, libtbb.so.12, and libraries that oneTBB looks for in the process and beside itself: its allocator, what
# binds its threads, Intel's runtimes. They belong to others.
s/lib\(tbb\|irml\|iomp5\)/hcl\1/g

# What starts its threads: a function of the driver (compiler/isolation/own_threads.hpp).
s/pthread_create\x00/hcl_new_thread\x00/g

# What keeps its data of each thread: a function of the driver as well.
s/pthread_key_create\x00/hcl_new_thread_key\x00/g

# What it would use of these if they are in the process.
s/__\(TBB\|RML\)_/__hcl_/g
s/scalable_/hostcl_s_/g

# Its static objects are never destroyed, like those of the driver (icd/static_objects.cpp): what registers their
# destructors becomes a function that does nothing. exit() in a child of fork() would wait for threads of the parent.
s/__cxa_atexit/pthread_self/
