// errors that may follow from something unsupported are not the program's
// RUN: check %
// NEEDS: gcc
// STATUS: 3
typedef _Decimal32 money;
money price;
