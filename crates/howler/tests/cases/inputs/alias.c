static int real(void) { return 1; }
int other_name(void) __attribute__((alias("real")));
__asm__(".globl from_assembly\nfrom_assembly: ret\n");
inline int in_line(void) { return 2; }
extern inline int in_line(void);
