/* another definition */
extern int answer;
int other(void) { return answer; }
int answer = 43;
