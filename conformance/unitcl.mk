# Builds only the test program UnitCL of the Construction Kit. conformance/suites calls this makefile in the build
# folder, where it has written Common.h and Device.h. KIT is the folder of the Construction Kit's source.
unitcl := $(KIT)/source/cl/test/UnitCL
modules := $(KIT)/modules
sources := $(shell cd $(unitcl)/source && find . -name '*.cpp')
shared := $(wildcard $(modules)/cargo/source/*.cpp $(modules)/kts/source/*.cpp)
objects := $(sources:%.cpp=objects/%.o) $(shared:$(modules)/%.cpp=objects/modules/%.o)
flags := -std=gnu++17 -w -DCL_TARGET_OPENCL_VERSION=300 -DCL_ENABLE_BETA_EXTENSIONS -DCL_NO_EXTENSION_PROTOTYPES \
  $(foreach version,1_0 1_1 1_2 2_0 2_1 2_2,-DCL_USE_DEPRECATED_OPENCL_$(version)_APIS) \
  -I. -I$(unitcl)/include -I$(unitcl)/source -I$(modules)/cargo/include -I$(modules)/kts/include \
  -I$(KIT)/source/cl/source/extension/include

UnitCL: $(objects) objects/printf.o
	g++ -o $@ $^ -lgtest -lOpenCL -lpthread

# UnitCL calls a function that only the Construction Kit's own version of GoogleTest has.
objects/printf.o:
	@mkdir -p $(@D)
	printf '%s\n' '#include <cstdarg>' '#include <cstdio>' 'namespace testing::internal { enum class GTestColor;' \
	  'void ColoredPrintf(GTestColor, const char* format, ...) {' \
	  '  va_list list; va_start(list, format); std::vprintf(format, list); va_end(list); } }' | g++ $(flags) -x c++ -c -o $@ -

objects/modules/%.o: $(modules)/%.cpp
	@mkdir -p $(@D)
	g++ $(flags) -c -o $@ $<

objects/%.o: $(unitcl)/source/%.cpp
	@mkdir -p $(@D)
	g++ $(flags) -c -o $@ $<
