// RUN: check --headers ours %
// NEEDS: gcc
// STATUS: 1
// STDERR-HAS: sys/stat.h
#include <sys/stat.h>
