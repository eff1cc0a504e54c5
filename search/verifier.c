/* Judges a proof in the binary form that docs/reference/proof-format.md specifies, and was written from that page alone: no board,
 * rule, table or other code of this project is used. To be read in this order: the board, the rules, renju, the file,
 * and what it means for a proof to hold.
 *
 *     cc -O3 -DSTANDALONE -o verifier verifier.c && ./verifier proof.gmkproof
 *
 * What is large stays where it is: it is read in place, from the root down, and everything else has a fixed size but a
 * bit for each byte of the file, which marks where nodes begin. The depth of a proof is at most the number of cells,
 * since every attack fills one, so that recursion is safe.
 *
 * The board is kept as counts of stones for every row of five cells ("five"). Black has a five in one move where a five
 * holds four black stones and no white one, and so on: all questions except those of exact length and of renju are
 * answered by these counts, and a stone changes at most twenty of them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 22, CELLS = SIDE * SIDE, WORDS = (CELLS + 63) / 64, FIVES = 4 * CELLS, LEAST_SIDE = 5 };
enum { EMPTY = 0, BLACK = 1, WHITE = 2, WALL = 3 };
enum { FREESTYLE = 0, STANDARD = 1, RENJU = 4 };
enum { KIND_FIVE = 0, KIND_FOUR = 1, KIND_ATTACK = 2, KIND_ELSEWHERE = 3 };
enum { HEAD = 13, TRAILER = 16 };
enum { LEAST_KEPT = 1 << 8, MOST_KEPT = 1 << 18 }; /* verified attacks that are remembered, by the size of the file */
enum { SALTS = 3, IMAGES = 8 };

typedef struct { uint64_t word[WORDS]; } Cells; /* a set of cells; also a zone */

typedef struct {
    uint64_t key[2];
    Cells zone;
} Kept;

typedef enum { OK, ILLEGAL, NOTHING_FOLLOWS, FOLLOWS_FIVE, NAMED_ILLEGAL, FULL, REPLY_FIVE, ESCAPES, PASS_ESCAPES, ELSEWHERE, UNPROVEN, FURTHER, ITSELF, TOO_MUCH, MALFORMED } Fault;

static const char *const SAID[] = {
    "", "the attacker cannot play %s", "nothing follows %s, and it does not make five", "%s makes five, and yet something follows",
    "the reply %s is not legal", "the board is full: a draw", "the reply %s makes five", "the reply %s escapes", "passing escapes",
    "the proof goes on in another part", "the proof goes on in another part, and no part proves this position",
    "the proof goes on in another part, which says nothing of further stones", "the part needs its own position",
    "gave up: this proof takes more replies and stones than allowed to verify", "the file is not well formed",
};

typedef struct {
    /* the file */
    const uint8_t *data;
    uint64_t first, end, at;
    uint64_t *begins; /* while the file is checked: the bytes where nodes begin */
    /* the game */
    int rule, passing, attacker, defender, rows, cols, cells, skipping;
    int step[4], place[CELLS];
    uint8_t field[(SIDE + 2) * (SIDE + 1) + 2];
    Cells empty;
    /* the fives */
    int fives, through_count[CELLS];
    uint16_t five[FIVES][5], through[CELLS][20];
    uint8_t count[3][FIVES];
    uint16_t four[3][FIVES]; /* those with four stones of a colour and an empty cell */
    int fours[3], four_at[FIVES];
    /* what was done */
    uint64_t replies, work, most;
    uint64_t hash[SALTS], salt[3][CELLS][SALTS]; /* two that nobody can foresee, and one that is always the same */
    Kept *kept;
    uint64_t kept_room;
    /* the positions that other parts prove: least images, a byte for each cell, in ascending order; those made use of */
    int in_parts, images;
    uint16_t image[IMAGES][CELLS];
    const uint8_t *proven;
    uint64_t provens;
    uint8_t *used;
    /* what is wrong */
    Fault fault;
    int fault_cell, fault_depth, depth;
    uint16_t path[2 * CELLS + 2], fault_path[2 * CELLS + 2];
} Proof;

/* ------------------------------------------------------------------ sets of cells */

static inline void add(Cells *set, int cell) { set->word[cell >> 6] |= 1ULL << (cell & 63); }
static inline void drop(Cells *set, int cell) { set->word[cell >> 6] &= ~(1ULL << (cell & 63)); }
static inline int has(const Cells *set, int cell) { return set->word[cell >> 6] >> (cell & 63) & 1; }
static inline void join(Cells *set, const Cells *other) { for (int i = 0; i < WORDS; i++) set->word[i] |= other->word[i]; }
static inline void keep(Cells *set, const Cells *other) { for (int i = 0; i < WORDS; i++) set->word[i] &= other->word[i]; }
static inline void omit(Cells *set, const Cells *other) { for (int i = 0; i < WORDS; i++) set->word[i] &= ~other->word[i]; }

static inline int size(const Cells *set) {
    int sum = 0;
    for (int i = 0; i < WORDS; i++) sum += __builtin_popcountll(set->word[i]);
    return sum;
}

/* The first cell from here on, or -1. */
static inline int next(const Cells *set, int from) {
    if (from >= CELLS) return -1;
    int i = from >> 6;
    uint64_t rest = set->word[i] >> (from & 63) << (from & 63);
    while (!rest) {
        if (++i == WORDS) return -1;
        rest = set->word[i];
    }
    return i * 64 + __builtin_ctzll(rest);
}

#define EACH(cell, set) (int cell = next(set, 0); cell >= 0; cell = next(set, cell + 1))

/* ------------------------------------------------------------------ the board */

static void recount(Proof *p, int five) {
    int at = p->four_at[five];
    if (at >= 0) { /* out of its list: the last takes its place */
        int colour = at / FIVES, last = p->four[colour][--p->fours[colour]];
        p->four[colour][at % FIVES] = last;
        p->four_at[last] = at;
        p->four_at[five] = -1;
    }
    int colour = p->count[BLACK][five] == 4 ? BLACK : p->count[WHITE][five] == 4 ? WHITE : EMPTY;
    if (colour && p->count[3 - colour][five] == 0) {
        p->four_at[five] = colour * FIVES + p->fours[colour];
        p->four[colour][p->fours[colour]++] = five;
    }
}

static void change(Proof *p, int cell, int colour, int by) {
    p->field[p->place[cell]] = by > 0 ? colour : EMPTY;
    by > 0 ? drop(&p->empty, cell) : add(&p->empty, cell);
    for (int i = 0; i < SALTS; i++) p->hash[i] ^= p->salt[colour][cell][i];
    for (int i = 0; i < p->through_count[cell]; i++) {
        int five = p->through[cell][i];
        p->count[colour][five] += by;
        recount(p, five);
    }
}

static void play(Proof *p, int cell, int colour) {
    change(p, cell, colour, 1);
    p->path[p->depth++] = cell;
    p->work++;
}

static void undo(Proof *p, int colour) { change(p, p->path[--p->depth], colour, -1); }

static void set_up(Proof *p) {
    int width = p->cols + 1;
    int steps[4] = {1, width, width + 1, width - 1}, down[4] = {0, 1, 1, 1}, right[4] = {1, 0, 1, -1};
    memcpy(p->step, steps, sizeof steps);
    memset(p->field, WALL, sizeof p->field);
    for (int cell = 0; cell < p->cells; cell++) {
        p->place[cell] = (cell / p->cols + 1) * width + cell % p->cols + 1;
        p->field[p->place[cell]] = EMPTY;
        add(&p->empty, cell);
    }
    for (int cell = 0; cell < p->cells; cell++) {
        for (int way = 0; way < 4; way++) {
            int row = cell / p->cols + 4 * down[way], col = cell % p->cols + 4 * right[way];
            if (row >= p->rows || col < 0 || col >= p->cols) continue;
            for (int i = 0; i < 5; i++) {
                int there = cell + i * (down[way] * p->cols + right[way]);
                p->five[p->fives][i] = there;
                p->through[there][p->through_count[there]++] = p->fives;
            }
            p->four_at[p->fives++] = -1;
        }
    }
    p->images = p->rows == p->cols ? 8 : 4;
    for (int number = 0; number < p->images; number++) {
        for (int cell = 0; cell < p->cells; cell++) {
            int row = number & 4 ? cell % p->cols : cell / p->cols, col = number & 4 ? cell / p->cols : cell % p->cols;
            p->image[number][cell] = (number & 1 ? p->rows - 1 - row : row) * p->cols + (number & 2 ? p->cols - 1 - col : col);
        }
    }
}

/* ------------------------------------------------------------------ the rules */

/* How many stones of the colour stand in a row on this line through the place, a stone on the place itself included. */
static inline int row(const Proof *p, int place, int step, int colour) {
    int high = place + step, low = place - step;
    while (p->field[high] == colour) high += step;
    while (p->field[low] == colour) low -= step;
    return (high - low) / step - 1;
}

static int only_five(const Proof *p, int colour) { return p->rule == STANDARD || (p->rule == RENJU && colour == BLACK); }

static int makes_five(const Proof *p, int cell, int colour) {
    for (int way = 0; way < 4; way++) {
        int length = row(p, p->place[cell], p->step[way], colour);
        if (length == 5 || (length > 5 && !only_five(p, colour))) return 1;
    }
    return 0;
}

/* The empty cells where the colour wins at once. */
static Cells winning(const Proof *p, int colour) {
    Cells found = {{0}};
    for (int i = 0; i < p->fours[colour]; i++) {
        const uint16_t *five = p->five[p->four[colour][i]];
        for (int j = 0; j < 5; j++) {
            if (p->field[p->place[five[j]]]) continue;
            if (!only_five(p, colour) || makes_five(p, five[j], colour)) add(&found, five[j]);
        }
    }
    return found;
}

/* The empty cells of all fives that so many more stones of the defender and one move of his could fill. */
static void near_fives(const Proof *p, int extra, Cells *zone) {
    const uint8_t *own = p->count[p->defender], *other = p->count[p->attacker];
    int least = extra < 4 ? 4 - extra : 0;
    for (int five = 0; five < p->fives; five++) {
        if (other[five] || own[five] < least) continue;
        for (int i = 0; i < 5; i++) {
            if (!p->field[p->place[p->five[five][i]]]) add(zone, p->five[five][i]);
        }
    }
}

/* ------------------------------------------------------------------ renju: what black may not play */

static int forbidden(Proof *p, int place);

/* The empty places next to black's row through this place. */
static int ends(const Proof *p, int place, int step, int found[2]) {
    int count = 0, low = place - step, high = place + step;
    while (p->field[low] == BLACK) low -= step;
    while (p->field[high] == BLACK) high += step;
    if (p->field[low] == EMPTY) found[count++] = low;
    if (p->field[high] == EMPTY) found[count++] = high;
    return count;
}

static int fives_beside(const Proof *p, int place, int step) {
    int end[2], fives = 0;
    for (int i = ends(p, place, step, end); i--;) fives += row(p, end[i], step, BLACK) == 5;
    return fives;
}

/* How many fours the stone on this place is part of on this line; a straight four is one, o.ooo.o are two. */
static int fours(const Proof *p, int place, int step) {
    int fives = fives_beside(p, place, step);
    return fives == 2 && row(p, place, step, BLACK) == 4 ? 1 : fives;
}

static int may_extend(Proof *p, int place) {
    for (int way = 0; way < 4; way++) {
        if (row(p, place, p->step[way], BLACK) == 5) return 0;
    }
    return !forbidden(p, place);
}

/* Whether the stone on this place is part of a three on this line: one more stone makes a straight four, and is allowed. */
static int three(Proof *p, int place, int step) {
    int end[2], count = ends(p, place, step, end), found = 0;
    for (int i = 0; i < count && !found; i++) {
        if (row(p, end[i], step, BLACK) != 4) continue;
        p->field[end[i]] = BLACK;
        int straight = fives_beside(p, end[i], step) == 2;
        p->field[end[i]] = EMPTY;
        found = straight && may_extend(p, end[i]);
    }
    return found;
}

static int forbidden(Proof *p, int place) {
    int overline = 0, four = 0, threes = 0;
    for (int way = 0; way < 4; way++) {
        int length = row(p, place, p->step[way], BLACK);
        if (length == 5) return 0;
        overline |= length > 5;
    }
    if (overline) return 1;
    p->field[place] = BLACK;
    for (int way = 0; way < 4; way++) four += fours(p, place, p->step[way]);
    for (int way = 0; way < 4 && four < 2 && threes < 2; way++) threes += three(p, place, p->step[way]);
    p->field[place] = EMPTY;
    return four > 1 || threes > 1;
}

/* Whether black has stones enough near an empty place for it to be forbidden: two on two lines, or four on one. */
static int suspect(const Proof *p, int place) {
    int lines = 0;
    for (int way = 0; way < 4; way++) {
        int near = 0, step = p->step[way];
        for (int i = 1, at = place + step; i < 5 && p->field[at] != WALL; i++, at += step) near += p->field[at] == BLACK;
        for (int i = 1, at = place - step; i < 5 && p->field[at] != WALL; i++, at -= step) near += p->field[at] == BLACK;
        if (near >= 4) return 1;
        lines += near >= 2;
    }
    return lines >= 2;
}

static int legal(Proof *p, int cell, int colour) {
    int place = p->place[cell];
    if (p->field[place]) return 0;
    return !(p->rule == RENJU && colour == BLACK && suspect(p, place) && forbidden(p, place));
}

/* ------------------------------------------------------------------ the file */

static int fail(Proof *p, Fault fault, int cell) {
    if (p->fault >= TOO_MUCH) return 0; /* no other answer is tried after these */
    p->fault = fault;
    p->fault_cell = cell;
    p->fault_depth = p->depth;
    memcpy(p->fault_path, p->path, p->depth * sizeof p->path[0]);
    return 0;
}

static uint64_t number(Proof *p) {
    uint64_t value = 0;
    for (int shift = 0; shift < 63 && p->at < p->end; shift += 7) {
        uint8_t byte = p->data[p->at++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return value;
    }
    fail(p, MALFORMED, 0);
    return 0;
}

static int number_below(Proof *p, uint64_t bound) {
    uint64_t value = number(p);
    if (value >= bound) fail(p, MALFORMED, 0);
    return value < bound ? (int)value : 0;
}

/* A node below the one that begins at ``node``. */
static uint64_t below(Proof *p, uint64_t node) {
    uint64_t back = number(p);
    if (back == 0 || back > node - p->first) {
        fail(p, MALFORMED, 0);
        return node;
    }
    if (p->begins) p->begins[(node - back - p->first) >> 6] |= 1ULL << ((node - back - p->first) & 63);
    return node - back;
}

/* What the attacker does about the replies to one move: where in the file it stands. */
typedef struct {
    uint64_t node, threat_at, replies_at, defaults_at;
    int threat, replies, defaults;
    Cells named;
} Then;

static Then read_then(Proof *p, uint64_t node, int kind) {
    Then then = {.node = node, .threat_at = p->at, .replies_at = p->at, .threat = 1, .replies = 1};
    if (kind == KIND_FOUR) { /* the one reply is the one move of the threat, and stands in the file once */
        add(&then.named, number_below(p, p->cells));
        below(p, node);
        return then;
    }
    then.threat = number_below(p, p->cells + 1);
    then.threat_at = p->at;
    for (int i = 0; i < then.threat; i++) number_below(p, p->cells);
    then.replies = number_below(p, p->cells + 1);
    then.replies_at = p->at;
    for (int i = 0, last = -1; i < then.replies && p->fault < TOO_MUCH; i++) {
        int cell = number_below(p, p->cells);
        if (cell <= last) fail(p, MALFORMED, 0);
        last = cell;
        add(&then.named, cell);
        below(p, node);
    }
    then.defaults = number_below(p, p->cells + 1);
    then.defaults_at = p->at;
    for (int i = 0; i < then.defaults && p->fault < TOO_MUCH; i++) below(p, node);
    return then;
}

/* Whether every node that the root leads to is well formed and ends before the next one begins. Nodes lead only back, so
 * that one pass from the root to the first byte meets each of them after all that lead to it. */
static int well_formed(Proof *p, uint64_t root) {
    uint64_t above = p->end;
    if (root < p->first || root >= p->end) return fail(p, MALFORMED, 0);
    if (!(p->begins = calloc((p->end - p->first) / 64 + 1, sizeof *p->begins))) return -1;
    p->begins[(root - p->first) >> 6] |= 1ULL << ((root - p->first) & 63);
    for (uint64_t i = ((root - p->first) >> 6) + 1; i-- && p->fault < TOO_MUCH;) {
        while (p->begins[i] && p->fault < TOO_MUCH) { /* a node may mark others in the same word, all of them before it */
            int bit = 63 - __builtin_clzll(p->begins[i]);
            uint64_t node = p->first + 64 * i + bit;
            p->begins[i] ^= 1ULL << bit;
            p->at = node;
            uint64_t head = number(p);
            int kind = head & 3;
            if (head != KIND_ELSEWHERE) {
                if (head >> 2 >= (uint64_t)p->cells || kind > KIND_ATTACK) fail(p, MALFORMED, 0);
                else if (kind != KIND_FIVE) read_then(p, node, kind);
            }
            if (p->at > above) fail(p, MALFORMED, 0);
            above = node;
        }
    }
    free(p->begins);
    p->begins = NULL;
    return p->fault < TOO_MUCH;
}

/* ------------------------------------------------------------------ what it means for a proof to hold */

static int attack(Proof *p, uint64_t node, int extra, int inside, Cells *zone);

/* Whether the threat wins, the attacker to move, and its zone. */
static int line_wins(Proof *p, const Then *then, int extra, Cells *zone) {
    uint64_t at = then->threat_at;
    int wins = 0, depth = p->depth;
    for (int i = 0; i < then->threat; i++) {
        p->at = at;
        int cell = number_below(p, p->cells);
        at = p->at;
        if (!legal(p, cell, p->attacker)) break;
        add(zone, cell);
        if (makes_five(p, cell, p->attacker)) {
            wins = 1;
            break;
        }
        play(p, cell, p->attacker);
        if (p->fours[p->defender]) {
            Cells his = winning(p, p->defender);
            if (next(&his, 0) >= 0) break;
        }
        Cells fives = winning(p, p->attacker);
        int one = next(&fives, 0), two = one < 0 ? -1 : next(&fives, one + 1);
        if (one < 0) break;
        add(zone, one);
        if (two >= 0) add(zone, two);
        if (p->skipping) near_fives(p, extra, zone);
        if (two >= 0 || !legal(p, one, p->defender)) {
            wins = 1;
            break;
        }
        play(p, one, p->defender);
    }
    while (p->depth > depth) undo(p, (p->depth - depth) % 2 ? p->attacker : p->defender);
    return wins;
}

/* Whether the threat or a default wins against what stands on the board, the attacker to move. */
static int unnamed(Proof *p, const Then *then, int extra, Cells *zone) {
    Cells won = {{0}};
    int wins = line_wins(p, then, extra, &won);
    uint64_t at = then->defaults_at;
    for (int i = 0; i < then->defaults && !wins && p->fault < TOO_MUCH; i++) {
        p->at = at;
        uint64_t node = below(p, then->node);
        at = p->at;
        memset(&won, 0, sizeof won);
        wins = attack(p, node, extra, 1, &won);
    }
    if (wins) join(zone, &won);
    return wins;
}

/* Leaves in ``open`` and ``pass`` what is not answered by something that wins when the defender passes. */
static void skip(Proof *p, const Then *then, int extra, Cells *open, int *pass, Cells *zone) {
    uint64_t at = then->defaults_at;
    for (int i = -1; i < then->defaults && p->fault < TOO_MUCH; i++) {
        Cells won = {{0}};
        int wins;
        if (i < 0) {
            wins = line_wins(p, then, extra + 1, &won);
        } else {
            if (!*pass && next(open, 0) < 0) return;
            p->at = at;
            uint64_t node = below(p, then->node);
            at = p->at;
            wins = attack(p, node, extra + 1, 1, &won);
        }
        if (!wins) continue;
        *pass = 0;
        keep(open, &won);
        join(zone, &won);
    }
}

/* Whether every reply is answered; the board stands after the attacker's move. */
static int defence(Proof *p, const Then *then, int extra, int inside, Cells *zone) {
    Cells replies = p->empty, named = then->named, fives = winning(p, p->defender);
    if (p->rule == RENJU && p->defender == BLACK) {
        for EACH(cell, &p->empty) if (!legal(p, cell, BLACK)) drop(&replies, cell);
    }
    omit(&named, &replies);
    if (!inside && next(&named, 0) >= 0) return fail(p, NAMED_ILLEGAL, next(&named, 0));
    if (next(&p->empty, 0) < 0) return fail(p, FULL, 0);
    if (next(&fives, 0) >= 0) return fail(p, REPLY_FIVE, next(&fives, 0));
    int pass = p->passing || next(&replies, 0) < 0;
    p->work += size(&replies) + pass;
    if (p->work > p->most) return fail(p, TOO_MUCH, 0);
    Cells open = replies;
    omit(&open, &then->named);
    if (p->skipping) {
        near_fives(p, extra, zone);
        skip(p, then, extra, &open, &pass, zone);
    }
    for EACH(reply, &open) {
        play(p, reply, p->defender);
        p->replies++;
        int wins = unnamed(p, then, extra, zone);
        undo(p, p->defender);
        if (!wins) return fail(p, ESCAPES, reply);
    }
    p->replies += pass;
    if (pass && !unnamed(p, then, extra, zone)) return fail(p, PASS_ESCAPES, 0);
    uint64_t at = then->replies_at;
    for (int i = 0; i < then->replies; i++) {
        p->at = at;
        int reply = number_below(p, p->cells);
        uint64_t node = below(p, then->node);
        at = p->at;
        if (!has(&replies, reply)) continue;
        play(p, reply, p->defender);
        p->replies++;
        int wins = attack(p, node, extra, inside, zone);
        undo(p, p->defender);
        if (!wins) return 0;
    }
    return p->fault < TOO_MUCH;
}

/* Which attacks share a place is the same in every run, so that the numbers of replies and stones are. */
static Kept *kept(Proof *p, uint64_t node, int extra, int inside, uint64_t key[2]) {
    uint64_t what = (node << 12 | (uint64_t)extra << 1 | (uint64_t)inside) + 1;
    key[0] = (p->hash[0] ^ what) * 0x9E3779B97F4A7C15ULL;
    key[1] = p->hash[1] ^ what * 0xC2B2AE3D27D4EB4FULL;
    return &p->kept[((p->hash[2] ^ what) * 0x9E3779B97F4A7C15ULL >> 40) & (p->kept_room - 1)];
}

/* The image of the position whose bytes come first. */
static void least_image(const Proof *p, uint8_t *least) {
    uint8_t seen[CELLS], position[CELLS];
    for (int cell = 0; cell < p->cells; cell++) position[cell] = p->field[p->place[cell]];
    for (int number = 0; number < p->images; number++) {
        for (int cell = 0; cell < p->cells; cell++) seen[p->image[number][cell]] = position[cell];
        if (number == 0 || memcmp(seen, least, p->cells) < 0) memcpy(least, seen, p->cells);
    }
}

/* Another part proves the position, or the node does not hold. Of further stones a part says nothing: its zone is the
 * whole board, and where further stones are the question it does not count. */
static int elsewhere(Proof *p, int extra, Cells *zone) {
    uint8_t least[CELLS];
    uint64_t low = 0, high = p->provens;
    if (!p->in_parts) return fail(p, ELSEWHERE, 0);
    if (extra) return fail(p, FURTHER, 0);
    if (!p->depth) return fail(p, ITSELF, 0);
    p->work++;
    least_image(p, least);
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        int order = memcmp(p->proven + middle * p->cells, least, p->cells);
        if (order == 0) {
            p->used[middle] = 1;
            for (int cell = 0; cell < p->cells; cell++) add(zone, cell);
            return 1;
        }
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return fail(p, UNPROVEN, 0);
}

/* Whether an attack wins, and its zone; the board stands before its move. */
static int attack(Proof *p, uint64_t node, int extra, int inside, Cells *zone) {
    uint64_t key[2];
    p->at = node;
    uint64_t head = number(p);
    int kind = head & 3;
    if (p->work > p->most) return fail(p, TOO_MUCH, 0);
    if (head == KIND_ELSEWHERE) return elsewhere(p, extra, zone);
    if (head >> 2 >= (uint64_t)p->cells || kind > KIND_ATTACK) return fail(p, MALFORMED, 0);
    int move = head >> 2;
    Kept *known = NULL;
    if (kind != KIND_FIVE) {
        known = kept(p, node, extra, inside, key);
        if (known->key[0] == key[0] && known->key[1] == key[1]) {
            join(zone, &known->zone);
            return 1;
        }
    }
    if (!legal(p, move, p->attacker)) return fail(p, ILLEGAL, move);
    int five = makes_five(p, move, p->attacker);
    if (five != (kind == KIND_FIVE)) return fail(p, five ? FOLLOWS_FIVE : NOTHING_FOLLOWS, move);
    Cells own = {{0}};
    add(&own, move);
    int wins = 1;
    if (!five) {
        Then then = read_then(p, node, kind);
        if (p->fault >= TOO_MUCH) return 0;
        play(p, move, p->attacker);
        wins = defence(p, &then, extra, inside, &own);
        undo(p, p->attacker);
    } else {
        p->work++;
    }
    if (!wins) return 0;
    join(zone, &own);
    if (known) {
        memcpy(known->key, key, sizeof key);
        known->zone = own;
    }
    return 1;
}

/* ------------------------------------------------------------------ from the bytes of a file to a verdict */

typedef struct {
    int accepted;
    uint64_t replies, work; /* replies that were played; replies that were looked at and stones that were put down */
    char reason[4096];
} Verdict;

static uint64_t random_number(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

/* Read the head and put the stones on the board; NULL, or what is wrong with it. */
static const char *read_head(Proof *p, uint64_t length) {
    const uint8_t *head = p->data;
    if (length < HEAD || memcmp(head, "GMKPROOF", 8)) return "this is no proof in binary form";
    if (head[8] != 2 || head[10] > 3) return "cannot read a proof of this version";
    if (head[9] != FREESTYLE && head[9] != STANDARD && head[9] != RENJU) return "expected freestyle, standard or renju";
    p->rule = head[9], p->passing = head[10] & 1, p->rows = head[11], p->cols = head[12];
    p->attacker = head[10] & 2 ? WHITE : BLACK, p->defender = 3 - p->attacker;
    if (p->rows < LEAST_SIDE || p->rows > SIDE || p->cols < LEAST_SIDE || p->cols > SIDE) return "expected a board from 5x5 to 22x22";
    if (p->rule == RENJU && !p->passing) return "under renju, where the defender may pass, the head has to say so";
    p->cells = p->rows * p->cols, p->first = HEAD + p->cells;
    if (length < p->first + TRAILER || memcmp(p->data + length - 8, "FOORPKMG", 8)) return "the proof is cut off: its end is missing";
    p->end = length - TRAILER;
    set_up(p);
    for (int cell = 0; cell < p->cells; cell++) {
        int stone = p->data[HEAD + cell];
        if (stone > WHITE) return "expected 0, 1 and 2 for the stones of the position";
        if (stone) change(p, cell, stone, 1);
    }
    for (int cell = 0; cell < p->cells; cell++) {
        int stone = p->field[p->place[cell]];
        if (stone && makes_five(p, cell, stone)) return "expected a game that goes on, found one that is won";
    }
    return NULL;
}

static void name(const Proof *p, int cell, char text[8]) {
    snprintf(text, 8, "%c%d", 'a' + cell % p->cols, p->rows - cell / p->cols);
}

static void explain(const Proof *p, Verdict *verdict) {
    char text[8], *out = verdict->reason, *end = out + sizeof verdict->reason - 100;
    for (int i = 0; p->fault < TOO_MUCH && i < p->fault_depth && out < end; i++) {
        name(p, p->fault_path[i], text);
        out += sprintf(out, "%s%s ", i ? "" : "after ", text);
    }
    name(p, p->fault_cell, text);
    snprintf(out, 100, p->fault ? SAID[p->fault] : "the proof was not found to hold", text);
}

/* Judge the proof in these bytes. ``thorough``: replay everything against every reply. ``proven``, if it is not NULL: the
 * positions that other parts prove, so many of them; those the proof rests on are marked in ``used``. 0 if there is no
 * memory. */
int verify_proof(
    const uint8_t *data, uint64_t length, uint64_t most, uint64_t seed, int thorough, const uint8_t *proven,
    uint64_t provens, uint8_t *used, Verdict *verdict
) {
    Proof *p = calloc(1, sizeof *p);
    memset(verdict, 0, sizeof *verdict);
    uint64_t room = LEAST_KEPT, same = 1;
    int formed = 1;
    while (room < length / 4 && room < MOST_KEPT) room *= 2;
    if (!p || !(p->kept = calloc(room, sizeof *p->kept))) {
        free(p);
        return 0;
    }
    uint64_t *salts = &p->salt[0][0][0];
    for (size_t i = 0; i < sizeof p->salt / sizeof *salts; i++) salts[i] = random_number(i % SALTS == 2 ? &same : &seed);
    p->data = data, p->most = most, p->kept_room = room;
    p->in_parts = proven != NULL, p->proven = proven, p->provens = provens, p->used = used;
    const char *wrong = read_head(p, length);
    if (wrong) {
        snprintf(verdict->reason, sizeof verdict->reason, "%s", wrong);
    } else {
        uint64_t root = 0;
        for (int i = 8; i--;) root = root << 8 | data[p->end + i];
        Cells zone = {{0}};
        p->skipping = !thorough && p->rule != RENJU;
        formed = well_formed(p, root);
        if (formed == 1) verdict->accepted = attack(p, root, 0, 0, &zone) && p->fault < TOO_MUCH;
        if (!verdict->accepted) explain(p, verdict);
    }
    verdict->replies = p->replies, verdict->work = p->work;
    free(p->kept);
    free(p);
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
    static Verdict verdict;
    struct stat about;
    uint64_t seed = 0;
    int quick = argc == 3 && !strcmp(argv[1], "--quick");
    int file = argc == 2 + quick ? open(argv[1 + quick], O_RDONLY) : -1, chance = open("/dev/urandom", O_RDONLY);
    if (file < 0 || fstat(file, &about) || chance < 0 || read(chance, &seed, sizeof seed) != sizeof seed) {
        fprintf(stderr, "usage: verifier [--quick] PROOF\n");
        return 2;
    }
    uint8_t *data = read_all(file, about.st_size);
    if (!data || !verify_proof(data, about.st_size, UINT64_MAX, seed, !quick, NULL, 0, NULL, &verdict)) {
        fprintf(stderr, "verifier: the file cannot be read, or there is not enough memory\n");
        return 2;
    }
    printf("%s after %llu replies%s%s\n", verdict.accepted ? "accepted" : "refused", (unsigned long long)verdict.replies,
           verdict.accepted ? "" : ": ", verdict.reason);
    return !verdict.accepted;
}
#endif
