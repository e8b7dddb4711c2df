#pragma once

// What kernels that are compiled for the host are told by the process that runs them.

namespace differential {

struct WorkItem {
  unsigned long global_id[3], local_id[3], group_id[3], offset[3];
  unsigned long global_size[3], local_size[3], enqueued_local_size[3], num_groups[3];
  unsigned dimensions;
  void (*wait)();              ///< a barrier of the group
  unsigned char (*shared)[64]; ///< for each work-item of the group, what it gives to the others
};

} // namespace differential
