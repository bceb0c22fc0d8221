// a header that Howler does not have brings the system's
// RUN: check --json %
// NEEDS: gcc
// STDOUT-HAS: "headers":["system"]
#include <sys/stat.h>
