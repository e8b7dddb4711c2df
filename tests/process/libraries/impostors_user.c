/* An application's library that needs newer versions of libraries than the driver was built with. */

int only_in_hwloc(void);
int only_in_tbb(void);
int only_in_tbbmalloc(void);
int only_in_xxhash(void);
int only_in_z(void);
int only_in_zstd(void);

int use_impostors(void) {
  return only_in_hwloc() + only_in_tbb() + only_in_tbbmalloc() + only_in_xxhash() + only_in_z() + only_in_zstd();
}
