extern long answer;
long other(void) { return answer; }
