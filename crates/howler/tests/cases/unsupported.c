// RUN: check %
// NEEDS: gcc
// STATUS: 3
// STDERR-HAS: unsupported.c:5:1: unsupported: '_Decimal32'
_Decimal32 x;
