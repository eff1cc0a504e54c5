/* A Gomocup engine that takes no time: it plays the first empty cell, row by row, whatever stands on the board.

   What a match costs beside its players shows when the players cost nothing. On an odd board both sides then build
   long diagonals, so every game ends with a five. The engine keeps only which cells are taken; it judges no rules, and
   every line it does not need (INFO, say) goes unanswered, as the protocol has it. */

#include <stdio.h>
#include <string.h>

enum { LARGEST = 32 };

static int rows, cols;
static char taken[LARGEST][LARGEST];

static void start(int x, int y) {
    if (x < 1 || y < 1 || x > LARGEST || y > LARGEST) {
        puts("ERROR the board is too small or too large");
        return;
    }
    cols = x;
    rows = y;
    memset(taken, 0, sizeof taken);
    puts("OK");
}

static void take(int x, int y) {
    if (x >= 0 && y >= 0 && x < cols && y < rows) taken[y][x] = 1;
}

static void move(void) {
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            if (!taken[y][x]) {
                taken[y][x] = 1;
                printf("%d,%d\n", x, y);
                return;
            }
    puts("ERROR no cell is empty");
}

static void read_board(char *line, int size) {
    int x, y;
    memset(taken, 0, sizeof taken);
    while (fgets(line, size, stdin) && strncmp(line, "DONE", 4) != 0)
        if (sscanf(line, "%d,%d", &x, &y) == 2) take(x, y);
    move();
}

int main(void) {
    char line[256];
    int x, y;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "RECTSTART %d,%d", &x, &y) == 2) start(x, y);
        else if (sscanf(line, "START %d", &x) == 1) start(x, x);
        else if (sscanf(line, "TURN %d,%d", &x, &y) == 2) take(x, y), move();
        else if (strncmp(line, "RESTART", 7) == 0) start(cols, rows);
        else if (strncmp(line, "BEGIN", 5) == 0) move();
        else if (strncmp(line, "BOARD", 5) == 0) read_board(line, sizeof line);
        else if (strncmp(line, "ABOUT", 5) == 0) puts("name=\"instant\", version=\"1\"");
        else if (strncmp(line, "END", 3) == 0) return 0;
        fflush(stdout);
    }
    return 0;
}
