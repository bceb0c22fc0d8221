// what the preprocessor refuses has errors; its words are handed on
// RUN: check %
// NEEDS: gcc
// STATUS: 1
// STDERR-HAS: error-directive.c:7
// STDERR-HAS: not for you
#error not for you
