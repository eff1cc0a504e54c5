/* Judges a hold: a file that claims that one side, the holder, keeps the other from making five whatever happens. Written
 * from docs/reference/proof-format.md alone, with a board and rules of its own.
 *
 *     cc -O3 -DSTANDALONE -o hold_verifier hold_verifier.c && ./hold_verifier black.gmkhold
 *
 * The file is read in place, from the root down; a bit for each of its bytes marks where nodes begin. Every move of the holder fills a cell, so that no path is longer than
 * twice the number of cells, and recursion is safe.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 Set;

enum { LEAST_SIDE = 5, SIDE = 22, CELLS = 128, ROWS = 4 * CELLS };
enum { FREESTYLE = 0, STANDARD = 1 };
enum { PAIRS = 0, REPLIES = 1, MOVE = 2, FIVE = 3 };
enum { HEAD = 13, TRAILER = 16, KEPT = 1 << 16 };

typedef enum { OK, OCCUPIED, NO_FIVE, NO_ANSWER, UNEXPECTED, TAKEN, UNPAIRED, REPLY_FIVE, TOO_MUCH, MALFORMED } Fault;

static const char *const SAID[] = {
    "", "the holder cannot play %s: the cell is occupied", "%s makes no five", "the holder has no move after this",
    "expected a move where the holder is to move, and pairs or replies where he is not", "%s is in no pair that is free",
    "no pair stops the row of five that begins at %s", "the reply %s makes five",
    "gave up: this takes more replies and moves than allowed to verify", "the file is not well formed",
};

typedef struct { uint64_t key[2]; Set zone; } Kept;

typedef struct {
    const uint8_t *data;
    uint64_t first, end, at;
    uint64_t *begins; /* while the file is checked: the bytes where nodes begin */
    int rule, rows, cols, cells, rows_of_five;
    Set five[ROWS], all, stones[2]; /* of the opponent, of the holder */
    uint64_t work, most, seed;
    int thorough;
    Kept *kept;
    Fault fault;
    int fault_cell, fault_depth, depth;
    uint8_t path[3 * CELLS], fault_path[3 * CELLS];
} Hold;

typedef struct { int accepted; uint64_t work; char reason[2048]; } Finding;

static inline Set bit(int cell) { return (Set)1 << cell; }
static inline int first(Set set) {
    uint64_t low = (uint64_t)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

static int fail(Hold *h, Fault fault, int cell) {
    if (h->fault >= TOO_MUCH) return 0;
    h->fault = fault, h->fault_cell = cell, h->fault_depth = h->depth;
    memcpy(h->fault_path, h->path, h->depth);
    return 0;
}

/* ------------------------------------------------------------------ the file */

static uint64_t number(Hold *h) {
    uint64_t value = 0;
    for (int shift = 0; shift < 63 && h->at < h->end; shift += 7) {
        uint8_t byte = h->data[h->at++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    fail(h, MALFORMED, 0);
    return 0;
}

static int number_below(Hold *h, uint64_t bound) {
    uint64_t value = number(h);
    if (value >= bound) fail(h, MALFORMED, 0);
    return value < bound ? (int)value : 0;
}

static uint64_t below(Hold *h, uint64_t node) {
    uint64_t back = number(h);
    if (back == 0 || back > node - h->first) {
        fail(h, MALFORMED, 0);
        return node;
    }
    if (h->begins) h->begins[(node - back - h->first) >> 6] |= 1ULL << ((node - back - h->first) & 63);
    return node - back;
}

/* Read a node for its form. */
static void read_node(Hold *h, uint64_t node) {
    h->at = node;
    uint64_t head = number(h), kind = head & 3, count = head >> 2;
    int last = -1;
    if (kind == PAIRS) {
        if (count > CELLS / 2) fail(h, MALFORMED, 0);
        for (uint64_t i = 0; i < 2 * count && h->fault < TOO_MUCH; i++) number_below(h, h->cells);
    } else if (kind == REPLIES) {
        if (count > (uint64_t)h->cells) fail(h, MALFORMED, 0);
        else below(h, node);
        for (uint64_t i = 0; i < count && h->fault < TOO_MUCH; i++) {
            int cell = number_below(h, h->cells);
            if (cell <= last) fail(h, MALFORMED, 0);
            last = cell;
            below(h, node);
        }
    } else {
        if (count >= (uint64_t)h->cells) fail(h, MALFORMED, 0);
        else if (kind == MOVE) below(h, node);
    }
}

/* Whether every node that the root leads to is well formed and ends before the next one begins; -1 without memory. Nodes
 * lead only back, so that one pass from the root to the first byte meets each of them after all that lead to it. */
static int well_formed(Hold *h, uint64_t root) {
    uint64_t above = h->end;
    if (root < h->first || root >= h->end) return fail(h, MALFORMED, 0);
    if (!(h->begins = calloc((h->end - h->first) / 64 + 1, sizeof *h->begins))) return -1;
    h->begins[(root - h->first) >> 6] |= 1ULL << ((root - h->first) & 63);
    for (uint64_t i = ((root - h->first) >> 6) + 1; i-- && h->fault < TOO_MUCH;) {
        while (h->begins[i] && h->fault < TOO_MUCH) { /* a node may mark others in the same word, all of them before it */
            int high = 63 - __builtin_clzll(h->begins[i]);
            h->begins[i] ^= 1ULL << high;
            uint64_t node = h->first + 64 * i + high;
            read_node(h, node);
            if (h->at > above) fail(h, MALFORMED, 0);
            above = node;
        }
    }
    free(h->begins);
    h->begins = NULL;
    return h->fault < TOO_MUCH;
}

/* ------------------------------------------------------------------ the board */

/* Whether a stone that stands on this cell is part of a five of this side. */
static int in_five(const Hold *h, int cell, int side) {
    static const int down[4] = {0, 1, 1, 1}, right[4] = {1, 0, 1, -1};
    for (int way = 0; way < 4; way++) {
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            int row = cell / h->cols + sign * down[way], col = cell % h->cols + sign * right[way];
            while (row >= 0 && row < h->rows && col >= 0 && col < h->cols && h->stones[side] & bit(row * h->cols + col)) {
                length++, row += sign * down[way], col += sign * right[way];
            }
        }
        if (length == 5 || (length > 5 && h->rule == FREESTYLE)) return 1;
    }
    return 0;
}

static void play(Hold *h, int cell, int side) { h->stones[side] |= bit(cell), h->path[h->depth++] = cell, h->work++; }
static void undo(Hold *h, int side) { h->stones[side] &= ~bit(h->path[--h->depth]); }
static Set empty(const Hold *h) { return h->all & ~(h->stones[0] | h->stones[1]); }

/* ------------------------------------------------------------------ what it means to hold */

static int after(Hold *h, uint64_t node, Set *zone);

/* The pairs keep the opponent from every row of five; the kind and the count have been read. */
static int paired(Hold *h, uint64_t count, Set *zone) {
    Set pair[CELLS / 2], left = empty(h);
    if (count > CELLS / 2) return fail(h, MALFORMED, 0);
    for (uint64_t i = 0; i < count; i++) {
        pair[i] = 0;
        for (int two = 0; two < 2; two++) {
            int cell = number_below(h, h->cells);
            if (h->fault >= TOO_MUCH) return 0;
            if (!(left & bit(cell))) return fail(h, TAKEN, cell);
            left &= ~bit(cell);
            pair[i] |= bit(cell);
        }
        *zone |= pair[i];
    }
    for (int i = 0; i < h->rows_of_five; i++) {
        uint64_t j = 0;
        if (h->five[i] & h->stones[1]) continue;
        while (j < count && (h->five[i] & pair[j]) != pair[j]) j++;
        if (j == count) return fail(h, UNPAIRED, first(h->five[i]));
    }
    return 1;
}

/* The holder is to move. */
static int with_move(Hold *h, uint64_t node, Set *zone) {
    h->at = node;
    uint64_t head = number(h), kind = head & 3, cell = head >> 2;
    if (h->fault >= TOO_MUCH) return 0;
    if (h->work > h->most) return fail(h, TOO_MUCH, 0);
    if (kind < MOVE) return fail(h, UNEXPECTED, 0);
    if (cell >= (uint64_t)h->cells) return fail(h, MALFORMED, 0);
    uint64_t then = kind == MOVE ? below(h, node) : 0;
    if (h->fault >= TOO_MUCH) return 0;
    if (!(empty(h) & bit(cell))) return fail(h, OCCUPIED, cell);
    play(h, cell, 1);
    int holds = 1;
    if (kind == MOVE) {
        *zone |= bit(cell);
        holds = after(h, then, zone);
    } else {
        *zone = h->all; /* one more stone of the opponent may have been a five before this one */
        holds = in_five(h, cell, 1);
    }
    undo(h, 1);
    return holds || (kind == FIVE && fail(h, NO_FIVE, cell));
}

/* Every reply is answered: by the node that names it, or by the one for all others. */
static int answered(Hold *h, uint64_t node, uint64_t count, Set *zone) {
    if (count > (uint64_t)h->cells) return fail(h, MALFORMED, 0);
    uint64_t other = below(h, node), answer[CELLS];
    Set named = 0, replayed = empty(h);
    for (uint64_t i = 0, least = 0; i < count; i++) {
        int cell = number_below(h, h->cells);
        if ((uint64_t)cell < least) return fail(h, MALFORMED, 0);
        least = cell + 1;
        answer[cell] = below(h, node);
        named |= bit(cell);
    }
    if (h->fault >= TOO_MUCH) return 0;
    Set passed = 0;
    if (!h->thorough && with_move(h, other, &passed)) {
        replayed &= named | passed;
        *zone |= passed;
    }
    if (h->fault >= TOO_MUCH) return 0;
    for (Set left = replayed; left; left &= left - 1) {
        int reply = first(left);
        *zone |= bit(reply);
        play(h, reply, 0);
        int holds = !in_five(h, reply, 0);
        if (!holds) h->depth--, fail(h, REPLY_FIVE, reply), h->depth++;
        else if (empty(h)) holds = with_move(h, named & bit(reply) ? answer[reply] : other, zone);
        undo(h, 0);
        if (!holds) return 0;
    }
    return 1;
}

/* The opponent is to move. */
static int after(Hold *h, uint64_t node, Set *zone) {
    h->at = node;
    uint64_t head = number(h), kind = head & 3;
    if (h->fault >= TOO_MUCH) return 0;
    if (h->work > h->most) return fail(h, TOO_MUCH, 0);
    if (kind > REPLIES) return fail(h, UNEXPECTED, 0);
    if (kind == PAIRS) return paired(h, head >> 2, zone);
    uint64_t key[2] = {h->seed ^ node, ~h->seed};
    for (int i = 0; i < 4; i++) {
        uint64_t word = (uint64_t)(h->stones[i & 1] >> (i & 2 ? 64 : 0));
        for (int j = 0; j < 2; j++) key[j] = (key[j] ^ word ^ key[j] >> 29) * (j ? 0xBF58476D1CE4E5B9ULL : 0x9E3779B97F4A7C15ULL);
    }
    key[1] ^= node;
    Kept *kept = &h->kept[key[0] >> 48];
    if (kept->key[0] == key[0] && kept->key[1] == key[1]) {
        *zone |= kept->zone;
        return 1;
    }
    Set own = 0;
    if (!answered(h, node, head >> 2, &own)) return 0;
    *kept = (Kept){{key[0], key[1]}, own};
    *zone |= own;
    return 1;
}

/* ------------------------------------------------------------------ from the bytes of a file to a verdict */

static const char *read_head(Hold *h, uint64_t length, int *holder_moves) {
    static const int down[4] = {0, 1, 1, 1}, right[4] = {1, 0, 1, -1};
    const uint8_t *head = h->data;
    if (length < HEAD || memcmp(head, "GMKHOLDS", 8)) return "this is no hold in binary form";
    if (head[8] != 1 || head[10] > 3) return "cannot read a hold of this version";
    if (head[9] != FREESTYLE && head[9] != STANDARD) return "expected freestyle or standard";
    h->rule = head[9], h->rows = head[11], h->cols = head[12], h->cells = h->rows * h->cols;
    if (h->rows < LEAST_SIDE || h->cols < LEAST_SIDE || h->rows > SIDE || h->cols > SIDE || h->cells > CELLS) return "expected a board of at most 128 cells, 5 to 22 a side";
    h->first = HEAD + h->cells;
    if (length < h->first + TRAILER || memcmp(h->data + length - 8, "SDLOHKMG", 8)) return "the hold is cut off: its end is missing";
    h->end = length - TRAILER;
    h->all = h->cells == CELLS ? ~(Set)0 : bit(h->cells) - 1;
    *holder_moves = head[10] & 1;
    int holder = head[10] & 2 ? 2 : 1;
    for (int cell = 0; cell < h->cells; cell++) {
        int stone = h->data[HEAD + cell];
        if (stone > 2) return "expected 0, 1 and 2 for the stones of the position";
        if (stone) h->stones[stone == holder] |= bit(cell);
        for (int way = 0; way < 4; way++) {
            int row = cell / h->cols + 4 * down[way], col = cell % h->cols + 4 * right[way];
            if (row >= h->rows || col < 0 || col >= h->cols) continue;
            for (int i = 0; i < 5; i++) h->five[h->rows_of_five] |= bit(cell + i * (down[way] * h->cols + right[way]));
            h->rows_of_five++;
        }
    }
    for (int side = 0; side < 2; side++) {
        for (Set left = h->stones[side]; left; left &= left - 1) {
            if (in_five(h, first(left), side)) return "expected a game that goes on, found one that is won";
        }
    }
    return empty(h) ? NULL : "expected a game that goes on, found a full board";
}

static void explain(const Hold *h, Finding *finding) {
    char *out = finding->reason, name[8];
    for (int i = 0; h->fault < TOO_MUCH && i < h->fault_depth; i++) {
        int cell = h->fault_path[i];
        out += sprintf(out, "%s%c%d ", i ? "" : "after ", 'a' + cell % h->cols, h->rows - cell / h->cols);
    }
    snprintf(name, sizeof name, "%c%d", 'a' + h->fault_cell % h->cols, h->rows - h->fault_cell / h->cols);
    snprintf(out, 200, h->fault ? SAID[h->fault] : "the hold was not found to hold", name);
}

/* Judge these bytes. ``thorough``: against every reply. 0 if there is no memory. */
int verify_hold(const uint8_t *data, uint64_t length, uint64_t most, uint64_t seed, int thorough, Finding *finding) {
    Hold *h = calloc(1, sizeof *h);
    memset(finding, 0, sizeof *finding);
    if (!h || !(h->kept = calloc(KEPT, sizeof *h->kept))) {
        free(h);
        return 0;
    }
    int holder_moves = 0, formed = 1;
    h->data = data, h->most = most, h->seed = seed, h->thorough = thorough;
    const char *wrong = read_head(h, length, &holder_moves);
    if (wrong) {
        snprintf(finding->reason, sizeof finding->reason, "%s", wrong);
    } else {
        uint64_t root = 0;
        Set zone = 0;
        for (int i = 8; i--;) root = root << 8 | data[h->end + i];
        formed = well_formed(h, root);
        if (formed == 1) finding->accepted = (holder_moves ? with_move(h, root, &zone) : after(h, root, &zone)) && h->fault < TOO_MUCH;
        if (!finding->accepted) explain(h, finding);
    }
    finding->work = h->work;
    free(h->kept);
    free(h);
    return formed >= 0;
}

#ifdef STANDALONE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* All bytes of a file, in memory: a file that is cut off meanwhile would end a program that has mapped it. */
static uint8_t *read_all(int file, uint64_t length) {
    uint8_t *data = malloc(length ? length : 1);
    for (uint64_t at = 0; data && at < length;) {
        ssize_t some = read(file, data + at, length - at);
        if (some <= 0) {
            free(data);
            return NULL;
        }
        at += some;
    }
    return data;
}

int main(int argc, char **argv) {
    static Finding finding;
    struct stat about;
    uint64_t seed = 0;
    int quick = argc == 3 && !strcmp(argv[1], "--quick");
    int file = argc == 2 + quick ? open(argv[1 + quick], O_RDONLY) : -1, chance = open("/dev/urandom", O_RDONLY);
    if (file < 0 || fstat(file, &about) || chance < 0 || read(chance, &seed, sizeof seed) != sizeof seed) {
        fprintf(stderr, "usage: hold_verifier [--quick] HOLD\n");
        return 2;
    }
    uint8_t *data = read_all(file, about.st_size);
    if (!data || !verify_hold(data, about.st_size, UINT64_MAX, seed, !quick, &finding)) {
        fprintf(stderr, "hold_verifier: the file cannot be read, or there is not enough memory\n");
        return 2;
    }
    printf("%s after %llu replies and moves%s%s\n", finding.accepted ? "accepted" : "refused", (unsigned long long)finding.work,
           finding.accepted ? "" : ": ", finding.reason);
    return !finding.accepted;
}
#endif
