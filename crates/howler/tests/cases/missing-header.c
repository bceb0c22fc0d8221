// RUN: check --headers ours %
// NEEDS: gcc
// STATUS: 1
// STDERR-HAS: signal.h
#include <signal.h>
