// Declarations in front of every program that clang does not have itself.
