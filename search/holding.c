/* Searches for a way to hold a position: the opponent never makes five. What is found is judged by hold_verifier.c and
 * by search/holding.py; nothing here has to be believed.
 *
 * A row of five cells is open as long as the holder has no stone in it. Where every open row contains a pair of empty
 * cells, and no two pairs share a cell, the holder answers a stone in a pair by one on its other cell, and has a stone
 * in each row in the end. The search is one for a tree of moves with such pairings at its leaves: for each move of the
 * opponent one answer, deeper and deeper.
 *
 * A tree rests on its zone: the holder's moves, the replies that it names, the cells of its pairs. A further stone of
 * the opponent outside it changes nothing. So the holder first supposes that the opponent passes; that tree answers
 * every reply outside its zone, and each other reply gets a tree of its own, which may answer more of them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 Set;

enum { CELLS = 128, ROWS = 4 * CELLS, MOST_PAIRS = CELLS / 2, THROUGH = 20 };
enum { PAIRS = 0, REPLIES = 1, MOVE = 2 };
enum { FAILED = -1, STOPPED = -2, NO_MEMORY = -3, NEVER = 127 };

typedef struct {
    Set zone;
    int kind, cell, below, count; /* a move and what follows; the answer to whatever is not named; pairs or replies */
    uint32_t list;                /* where its cells begin, and where its answers do */
    uint32_t answers;
    uint64_t offset; /* in the file, once it is written */
} Node;

typedef struct {
    Set mine, theirs;
    int32_t node;
    int8_t turn, failed; /* to this depth */
} Position;

typedef struct {
    int rows, cols, cells, fives, through_count[CELLS], width, tries, tries_left;
    Set five[ROWS], all;
    uint16_t through[CELLS][THROUGH];
    Node *node;
    uint32_t nodes, node_room;
    uint8_t *list;
    uint64_t lists, list_room;
    int32_t *answer;
    uint64_t answers, answer_room;
    Position *position;
    uint64_t positions, position_room;
    uint64_t steps, most; /* partial pairings looked at */
    uint64_t memory, most_memory; /* bytes in the tables */
    int failed_memory;
    Position nowhere; /* what is known of any position once there is no memory: nothing */
} Holding;

typedef struct {
    int count;
    uint8_t cell[2 * MOST_PAIRS];
} Pairing;

static inline Set bit(int cell) { return (Set)1 << cell; }
static inline int size(Set set) { return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64)); }
static inline int first(Set set) {
    uint64_t low = (uint64_t)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}
#define EACH(cell, set) (Set rest_##cell = (set); rest_##cell && ((cell = first(rest_##cell)), 1); rest_##cell &= rest_##cell - 1)

/* ------------------------------------------------------------------ pairings */

typedef struct { int worth; uint8_t one, two; } Option;

/* The pairs of these cells, best first: those in many open rows, that take cells of few others. */
static int options(const Holding *h, const uint16_t *open, int count, Set cells, Option *found) {
    uint8_t cell[5];
    int number = 0, size_ = 0, c;
    for EACH(c, cells) cell[size_++] = c;
    for (int i = 0; i < size_; i++) {
        for (int j = i + 1; j < size_; j++) {
            Set pair = bit(cell[i]) | bit(cell[j]);
            int worth = 0, at = number++;
            for (int k = 0; k < count; k++) {
                Set both = h->five[open[k]] & pair;
                worth += both == pair ? 16 : both ? -1 : 0;
            }
            for (; at > 0 && found[at - 1].worth < worth; at--) found[at] = found[at - 1];
            found[at] = (Option){worth, cell[i], cell[j]};
        }
    }
    return number;
}

/* Complete a pairing of these open rows with these cells. */
static int complete(Holding *h, const uint16_t *open, int count, Set cells, Pairing *pairing) {
    h->steps++;
    if (--h->tries_left < 0) return 0;
    int tightest = 0, fewest = 6;
    for (int i = 0; i < count; i++) {
        int left = size(h->five[open[i]] & cells);
        if (left < 2) return 0;
        if (left < fewest) tightest = i, fewest = left;
    }
    Option option[10];
    int number = options(h, open, count, h->five[open[tightest]] & cells, option);
    for (int i = 0; i < number && h->tries_left > 0; i++) {
        Set pair = bit(option[i].one) | bit(option[i].two);
        uint16_t left[ROWS];
        int lefts = 0;
        for (int j = 0; j < count; j++) {
            if ((h->five[open[j]] & pair) != pair) left[lefts++] = open[j];
        }
        pairing->cell[2 * pairing->count] = option[i].one;
        pairing->cell[2 * pairing->count++ + 1] = option[i].two;
        if (lefts == 0 || complete(h, left, lefts, cells & ~pair, pairing)) return 1;
        pairing->count--;
    }
    return 0;
}

static int find_pairing(Holding *h, Set mine, Set theirs, Pairing *pairing) {
    uint16_t open[ROWS];
    int count = 0;
    Set empty = h->all & ~(mine | theirs);
    pairing->count = 0;
    for (int i = 0; i < h->fives; i++) {
        if (h->five[i] & mine) continue;
        if (size(h->five[i] & empty) < 2) return 0;
        open[count++] = i;
    }
    h->tries_left = h->tries;
    return count == 0 || complete(h, open, count, empty, pairing);
}

/* ------------------------------------------------------------------ what was found */

static void *doubled(Holding *h, void *table, uint64_t *room, uint64_t needed, uint64_t each) {
    if (needed <= *room) return table;
    uint64_t more = *room ? *room : 1024;
    while (more < needed) more *= 2;
    void *larger = h->memory + (more - *room) * each > h->most_memory ? NULL : realloc(table, more * each);
    if (!larger) {
        h->failed_memory = 1;
        return table;
    }
    h->memory += (more - *room) * each;
    *room = more;
    return larger;
}

static int add_node(Holding *h, Node node) {
    uint64_t room = h->node_room;
    h->node = doubled(h, h->node, &room, h->nodes + 1ULL, sizeof *h->node);
    if (h->failed_memory || h->nodes == INT32_MAX) return STOPPED;
    h->node_room = room;
    h->node[h->nodes] = node;
    return h->nodes++;
}

static int add_list(Holding *h, const uint8_t *cells, int count) {
    h->list = doubled(h, h->list, &h->list_room, h->lists + count, 1);
    if (h->failed_memory || h->lists + count > UINT32_MAX) return 0;
    if (count) memcpy(h->list + h->lists, cells, count);
    h->lists += count;
    return 1;
}

static int add_pairing(Holding *h, const Pairing *pairing) {
    Node node = {.kind = PAIRS, .count = pairing->count, .list = h->lists};
    for (int i = 0; i < 2 * pairing->count; i++) node.zone |= bit(pairing->cell[i]);
    return add_list(h, pairing->cell, 2 * pairing->count) ? add_node(h, node) : STOPPED;
}

static int add_replies(Holding *h, int other, const uint8_t *replies, const int32_t *answers, int count, Set zone) {
    Node node = {.kind = REPLIES, .below = other, .count = count, .list = h->lists, .answers = h->answers, .zone = zone};
    h->answer = doubled(h, h->answer, &h->answer_room, h->answers + count, sizeof *h->answer);
    if (h->failed_memory || h->answers + count > UINT32_MAX || !add_list(h, replies, count)) return STOPPED;
    if (count) memcpy(h->answer + h->answers, answers, count * sizeof *answers);
    h->answers += count;
    return add_node(h, node);
}

static uint64_t mixed(Set set, uint64_t salt) {
    uint64_t value = ((uint64_t)set ^ salt) * 0x9E3779B97F4A7C15ULL;
    value = (value ^ value >> 31 ^ (uint64_t)(set >> 64)) * 0xBF58476D1CE4E5B9ULL;
    return value ^ value >> 29;
}

static Position *slot(const Holding *h, Set mine, Set theirs, int turn) {
    uint64_t at = mixed(theirs, mixed(mine, turn));
    for (;; at++) {
        Position *p = &h->position[at & (h->position_room - 1)];
        if (p->turn < 0 || (p->mine == mine && p->theirs == theirs && p->turn == turn)) return p;
    }
}

static int more_positions(Holding *h, uint64_t room) {
    uint64_t before = h->position_room, size_ = room * sizeof(Position); /* the old table stays until it is copied */
    Position *old = h->position, *larger = h->memory + size_ > h->most_memory ? NULL : malloc(size_);
    if (!larger) return 0;
    h->memory += size_ - before * sizeof(Position);
    memset(larger, 0xFF, room * sizeof *larger);
    h->position = larger, h->position_room = room;
    for (uint64_t i = 0; i < before; i++) {
        if (old[i].turn >= 0) *slot(h, old[i].mine, old[i].theirs, old[i].turn) = old[i];
    }
    free(old);
    return 1;
}

/* What is known of a position; places move when others are added. */
static Position *known(Holding *h, Set mine, Set theirs, int turn) {
    if (!h->failed_memory && 2 * h->positions >= h->position_room && !more_positions(h, 2 * h->position_room)) {
        h->failed_memory = 1;
    }
    if (h->failed_memory) { /* in a table that fills up a search for a free place would never end */
        h->nowhere = (Position){.node = FAILED, .failed = -1};
        return &h->nowhere;
    }
    Position *p = slot(h, mine, theirs, turn);
    if (p->turn < 0) {
        *p = (Position){.mine = mine, .theirs = theirs, .node = FAILED, .turn = turn, .failed = -1};
        h->positions++;
    }
    return p;
}

static int settle(Holding *h, Set mine, Set theirs, int turn, int node, int depth) {
    Position *p = known(h, mine, theirs, turn);
    if (node >= 0) p->node = node;
    else if (node == FAILED && p->failed < depth) p->failed = depth;
    return node;
}

/* ------------------------------------------------------------------ the search */

/* The empty cells, those first whose open rows hold most stones of the opponent. */
static int ordered(const Holding *h, Set mine, Set theirs, uint8_t *cells) {
    int worth[CELLS], count = 0, cell;
    for EACH(cell, h->all & ~(mine | theirs)) {
        int value = 0, at = count++;
        for (int i = 0; i < h->through_count[cell]; i++) {
            Set row = h->five[h->through[cell][i]];
            if (!(row & mine)) value += 1 << 2 * size(row & theirs);
        }
        for (; at > 0 && worth[at - 1] < value; at--) worth[at] = worth[at - 1], cells[at] = cells[at - 1];
        worth[at] = value, cells[at] = cell;
    }
    return count;
}

/* The cells where the opponent makes five at once. */
static Set threatened(const Holding *h, Set mine, Set theirs) {
    Set found = 0;
    for (int i = 0; i < h->fives; i++) {
        if (!(h->five[i] & mine) && size(h->five[i] & theirs) == 4) found |= h->five[i] & ~theirs;
    }
    return found;
}

static int stopped(const Holding *h) { return h->failed_memory || h->steps > h->most; } /* nothing more is looked at */

static int against(Holding *h, Set mine, Set theirs, int depth);

/* A move with which the holder, to move, holds against so many moves of the opponent before a pairing. */
static int with_move(Holding *h, Set mine, Set theirs, int depth) {
    Position *p = known(h, mine, theirs, 1);
    if (p->node >= 0 || p->failed >= depth) return p->node;
    uint8_t cells[CELLS];
    Set fives = threatened(h, mine, theirs);
    int count = ordered(h, mine, theirs, cells), found = FAILED, move = 0;
    if (fives) cells[0] = first(fives), count = size(fives) == 1;
    for (int i = 0; i < count && i < 2 * h->width + 2 && found == FAILED; i++) {
        Pairing pairing;
        if (find_pairing(h, mine | bit(cells[i]), theirs, &pairing)) move = cells[i], found = add_pairing(h, &pairing);
        if (stopped(h)) return STOPPED;
    }
    for (int i = 0; i < count && i < h->width && depth > 0 && found == FAILED; i++) {
        move = cells[i];
        found = against(h, mine | bit(move), theirs, depth);
    }
    if (found >= 0) found = add_node(h, (Node){.kind = MOVE, .cell = move, .below = found, .zone = h->node[found].zone | bit(move)});
    return settle(h, mine, theirs, 1, found, depth);
}

/* A pairing, or an answer to each reply: the opponent is to move. */
static int against(Holding *h, Set mine, Set theirs, int depth) {
    Position *p = known(h, mine, theirs, 0);
    if (p->node >= 0 || p->failed >= depth) return p->node;
    if (threatened(h, mine, theirs)) return settle(h, mine, theirs, 0, FAILED, NEVER);
    Pairing pairing;
    if (find_pairing(h, mine, theirs, &pairing)) return settle(h, mine, theirs, 0, add_pairing(h, &pairing), depth);
    if (stopped(h)) return STOPPED;
    int other = depth == 0 ? FAILED : with_move(h, mine, theirs, depth - 1); /* as if the opponent passed */
    if (other < 0) return settle(h, mine, theirs, 0, other, depth);
    uint8_t order[CELLS], replies[CELLS];
    int32_t answers[CELLS];
    int count = ordered(h, mine, theirs, order), named = 0, cell;
    Set zone = h->node[other].zone, left = zone & ~(mine | theirs);
    for (int i = 0; i < count; i++) {
        if (!(left & bit(order[i]))) continue;
        int found = with_move(h, mine, theirs | bit(order[i]), depth - 1);
        if (found < 0) return settle(h, mine, theirs, 0, found, depth);
        Set rests_on = h->node[found].zone | bit(order[i]);
        Set answered = (left & ~h->node[found].zone) | bit(order[i]);
        for EACH(cell, answered) replies[named] = cell, answers[named++] = found;
        left &= ~answered;
        zone |= rests_on | answered;
    }
    return settle(h, mine, theirs, 0, add_replies(h, other, replies, answers, named, zone), depth);
}

/* ------------------------------------------------------------------ from outside */

static Holding *new_holding(int rows, int cols, uint64_t most_memory) {
    static const int down[4] = {0, 1, 1, 1}, right[4] = {1, 0, 1, -1};
    Holding *h = calloc(1, sizeof *h);
    if (h) h->most_memory = most_memory;
    if (!h || !more_positions(h, 1 << 12)) {
        free(h);
        return NULL;
    }
    h->rows = rows, h->cols = cols, h->cells = rows * cols, h->width = 8, h->tries = 60;
    h->all = h->cells == CELLS ? ~(Set)0 : bit(h->cells) - 1;
    for (int cell = 0; cell < h->cells; cell++) {
        for (int way = 0; way < 4; way++) {
            int row = cell / cols + 4 * down[way], col = cell % cols + 4 * right[way];
            if (row >= rows || col < 0 || col >= cols) continue;
            for (int i = 0; i < 5; i++) {
                int there = cell + i * (down[way] * cols + right[way]);
                h->five[h->fives] |= bit(there);
                h->through[there][h->through_count[there]++] = h->fives;
            }
            h->fives++;
        }
    }
    return h;
}

static void free_holding(Holding *h) {
    if (!h) return;
    free(h->node), free(h->list), free(h->answer), free(h->position), free(h);
}

/* Search to this depth with so many more steps: a node, FAILED or STOPPED; after NO_MEMORY it is over. */
static int search_holding(Holding *h, const uint8_t *stones, int holder, int holder_moves, int depth, uint64_t steps) {
    Set mine = 0, theirs = 0;
    for (int cell = 0; cell < h->cells; cell++) {
        if (stones[cell]) *(stones[cell] == holder ? &mine : &theirs) |= bit(cell);
    }
    h->most = h->steps + steps;
    int found = holder_moves ? with_move(h, mine, theirs, depth) : against(h, mine, theirs, depth);
    if (found >= 0) return found;
    return h->failed_memory ? NO_MEMORY : h->steps > h->most ? STOPPED : found;
}

/* ------------------------------------------------------------------ as bytes */

typedef struct {
    uint8_t *bytes;
    uint64_t count, room, start;
    uint32_t written[3]; /* how many of each kind */
    uint64_t *same;      /* pairings that are written: where, plus one */
    uint64_t same_room;
} Output;

static void put_number(Holding *h, Output *out, uint64_t value) {
    out->bytes = doubled(h, out->bytes, &out->room, out->count + 10, 1);
    if (h->failed_memory) return;
    for (; value > 127; value >>= 7) out->bytes[out->count++] = value & 127 | 128;
    out->bytes[out->count++] = value;
}

static int by_cell(const void *one, const void *other) { return ((const int *)one)[0] - ((const int *)other)[0]; }

static void write_node(Holding *h, Output *out, int number);

static void write_pairs(Holding *h, Output *out, Node *node) {
    uint64_t begins = out->count;
    put_number(h, out, 4ULL * node->count);
    for (int i = 0; i < 2 * node->count; i++) put_number(h, out, h->list[node->list + i]);
    if (h->failed_memory) return;
    uint64_t length = out->count - begins, key = 0;
    for (uint64_t i = begins; i < out->count; i++) key = (key ^ out->bytes[i]) * 0x100000001B3ULL;
    uint64_t *known_at = &out->same[(key ^ key >> 29) & (out->same_room - 1)], at = *known_at - 1;
    if (*known_at && at + length <= begins && !memcmp(out->bytes + at, out->bytes + begins, length)) {
        out->count = begins;
        node->offset = at + 1;
        return;
    }
    *known_at = begins + 1;
    node->offset = begins + 1;
    out->written[PAIRS]++;
}

static void write_replies(Holding *h, Output *out, Node *node) {
    int order[CELLS][2];
    for (int i = 0; i < node->count; i++) {
        order[i][0] = h->list[node->list + i], order[i][1] = h->answer[node->answers + i];
        write_node(h, out, order[i][1]);
    }
    write_node(h, out, node->below);
    qsort(order, node->count, sizeof order[0], by_cell);
    uint64_t begins = out->count;
    put_number(h, out, 4ULL * node->count + REPLIES);
    put_number(h, out, begins + 1 - h->node[node->below].offset);
    for (int i = 0; i < node->count; i++) {
        put_number(h, out, order[i][0]);
        put_number(h, out, begins + 1 - h->node[order[i][1]].offset);
    }
    node->offset = begins + 1;
    out->written[REPLIES]++;
}

/* A node after all that it leads to; ``offset`` is one more than its place, 0 for none yet. No deeper than the board. */
static void write_node(Holding *h, Output *out, int number) {
    Node *node = &h->node[number];
    if (node->offset || h->failed_memory) return;
    if (node->kind == PAIRS) {
        write_pairs(h, out, node);
    } else if (node->kind == REPLIES) {
        write_replies(h, out, node);
    } else {
        write_node(h, out, node->below);
        uint64_t begins = out->count;
        put_number(h, out, 4ULL * node->cell + MOVE);
        put_number(h, out, begins + 1 - h->node[node->below].offset);
        node->offset = begins + 1;
        out->written[MOVE]++;
    }
}

/* The body of the file; where the root begins in it comes with it. 0 if there is no memory. */
static int write_holding(Holding *h, int root, Output *out, uint64_t *root_at) {
    memset(out, 0, sizeof *out);
    out->same_room = 1 << 20;
    out->same = calloc(out->same_room, sizeof *out->same);
    if (out->same) {
        for (uint32_t i = 0; i < h->nodes; i++) h->node[i].offset = 0;
        write_node(h, out, root);
        *root_at = h->node[root].offset - 1;
    }
    free(out->same);
    return out->same && !h->failed_memory;
}
