// a case is a file here: .c if it is also the input, .case if not. the lines at its start that begin with two
// slashes are directives, their names in capitals:
//
// RUN: check % inputs/empty.i
// STATUS: 0
// NEEDS: gcc
// STDOUT-HAS: format.c: ok (
// STDOUT-HAS: inputs/empty.i: ok (
//
// run:        the arguments of howler, split at spaces; % is the name of this file. exactly one. it runs in this folder.
// status:     the exit status; 0 if left out.
// needs:      a tool without which the case is skipped. may be repeated, as may all that follow.
// stdin:      a line of standard input; \n in it is a newline.
// env:        NAME=VALUE in the environment.
// stdout-has: words that standard output contains, when the whole of it is not known.
// stderr-has: the same for standard error.
//
// without -HAS lines, standard output must be exactly the sibling file with the extension .stdout, and standard
// error .stderr; a missing file is an empty one. "HOWLER_BLESS=1 cargo test -p howler" writes them.
#include <stdio.h>

int main(void)
{
    puts("this is the input too");
    return 0;
}
