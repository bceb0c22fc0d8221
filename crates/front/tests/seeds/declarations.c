typedef unsigned long size_type;
typedef struct point { int x, y; } point;
extern point origin, *corner;
static const volatile unsigned char flags[4][3];

int (*table[3])(int, const char *, ...), *(*chooser(int which))(void);
typedef int handler(int), *(*maker)(void);
handler h1; maker m1;

struct node { struct node *next, *prev; union { int i; float f; struct { short lo, hi; }; }; unsigned a : 3, : 2, b : 9; unsigned : 0; _Bool c : 1; };
struct later; struct later *promise(struct later *); struct later { int size; char tail[]; };

enum colour { RED, GREEN = 5, BLUE, LAST = BLUE };
enum colour paint; enum { ANON = -1 } minus;

_Static_assert(sizeof(int) == 4, "int has four bytes");
_Alignas(16) static char aligned[32]; _Thread_local int per_thread; _Noreturn void stop(void);

static inline int twice(int n) { return n * 2; }
extern int array[]; int array[7]; int tentative; int tentative; static int hidden; extern int hidden;

int rows(int n, int m, int a[n][m], int b[const static 3], int (*c)[m]) { typedef int row[m]; row r; r[0] = a[0][1] + b[1]; return sizeof r + sizeof *c; }

long long int unsigned odd; signed sig; short int unsigned us; long double ld; _Complex double cd; double long _Complex cld; __int128 big; unsigned __int128 ubig;

int *const *volatile *restrict deep; int *restrict rp; _Atomic int at; const int *const pc = 0; void (*const vf)(void) = 0;
