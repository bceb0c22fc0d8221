// RUN: check %
// NEEDS: gcc
// STATUS: 1
// STDERR-HAS: errors.c:8:12: error:
// STDERR-HAS: 'y'
int f(int x)
{
    return y + x;
}
