int other_name(void), from_assembly(void), in_line(void);
int main(void) { return other_name() + from_assembly() + in_line(); }
