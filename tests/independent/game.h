// "The game" of docs/reference/proof-format.md: the board, fives, the forbidden points of renju, and near(e) of "The zone rule".
// Written from that page alone, as checker.cpp is.
#pragma once
#include <algorithm>
#include <bitset>
#include <string>
#include <vector>

using Bytes = std::string;
using Cells = std::bitset<22 * 22>;  // a set of cells

enum { EMPTY, BLACK, WHITE };
enum { FREESTYLE = 0, STANDARD = 1, RENJU = 4 };

struct Position {
    int rule, rows, cols, toMove;
    Bytes stones;  // a byte for each cell: EMPTY, BLACK or WHITE
    Bytes key() const { return Bytes{char(rule), char(rows), char(cols), char(toMove)} + stones; }
    std::string name(int cell) const { return char('a' + cell % cols) + std::to_string(rows - cell / cols); }
};

class Board : public Position {
public:
    explicit Board(const Position& p) : Position(p), empty(int(p.stones.size())), windowsOf(p.stones.size()) {
        const int steps[8][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}};
        for (int d = 0; d < 8; d++) {
            for (int n = 0; n < empty; n++) {
                const int r = n / cols + steps[d][0], c = n % cols + steps[d][1];
                next[d].push_back(r >= 0 && r < rows && c >= 0 && c < cols ? r * cols + c : -1);
            }
            for (int n = 0; n < empty && d < 4; n++) {
                Window w{};
                int length = 0;
                for (int c = n; c >= 0 && length < 5; c = next[d][c]) w.cells[length++] = c, w.emptySum += c;
                if (length < 5) continue;
                for (int c : w.cells) windowsOf[c].push_back(int(windows.size()));
                windows.push_back(w);
            }
        }
        stones.assign(stones.size(), EMPTY);
        for (int n = 0; n < int(stones.size()); n++) if (p.stones[n] != EMPTY) put(n, p.stones[n]);
    }

    void put(int cell, int colour) {  // EMPTY takes the stone off
        const int by = colour == EMPTY ? -1 : 1, owner = colour == EMPTY ? stones[cell] : colour;
        stones[cell] = char(colour);
        empty -= by;
        for (int n : windowsOf[cell]) {
            Window& w = windows[n];
            for (int c : {BLACK, WHITE}) if (w.isFour(c)) fours[c].erase(std::find(fours[c].begin(), fours[c].end(), n));
            w.count[owner] += by, w.emptySum -= by * cell;
            for (int c : {BLACK, WHITE}) if (w.isFour(c)) fours[c].push_back(n);
        }
    }

    // "A move makes five": a stone of `colour` on `cell` is part of a run that is a five by the rule.
    bool makesFive(int cell, int colour) const {
        const bool longToo = rule == FREESTYLE || (rule == RENJU && colour == WHITE);
        for (int d = 0; d < 4; d++) {
            const int length = run(cell, d, colour).length;
            if (length == 5 || (length > 5 && longToo)) return true;
        }
        return false;
    }

    // The empty cells where `colour` makes five: each is in five cells in a row with four stones of `colour`.
    std::vector<int> fiveCells(int colour) const {
        std::vector<int> cells;
        for (int n : fours[colour]) {
            const int cell = windows[n].emptySum;  // the number of the only empty cell
            const bool twice = std::find(cells.begin(), cells.end(), cell) != cells.end();
            if (!twice && makesFive(cell, colour)) cells.push_back(cell);
        }
        return cells;
    }

    bool legal(int cell, int colour) { return stones[cell] == EMPTY && !(colour == BLACK && forbidden(cell)); }

    // near(e) of "The zone rule".
    Cells near(int e, int attacker) const {
        Cells cells;
        for (const Window& w : windows)
            if (w.count[attacker] == 0 && w.count[3 - attacker] >= 4 - e)
                for (int cell : w.cells) if (stones[cell] == EMPTY) cells.set(cell);
        return cells;
    }

protected:
    struct Window {  // five cells in a row
        int cells[5], count[3], emptySum;  // stones of each colour; the sum of the empty cells' numbers
        bool isFour(int colour) const { return count[colour] == 4 && count[3 - colour] == 0; }
    };
    struct Run { int length, ends[2]; };  // the cells right beside it, -1 off the board

    int empty;
    std::vector<Window> windows;
    std::vector<std::vector<int>> windowsOf;  // of each cell
    std::vector<int> next[8], fours[3];       // the cell next to each in eight directions; the windows that are fours

    bool isEmpty(int cell) const { return cell >= 0 && stones[cell] == EMPTY; }

    // The run of `colour` through `cell` in direction `d`, as if its stone were there.
    Run run(int cell, int d, int colour) const {
        Run r{1, {next[d][cell], next[d + 4][cell]}};
        for (int side : {0, 1})
            for (int& end = r.ends[side]; end >= 0 && stones[end] == colour; end = next[d + 4 * side][end]) r.length++;
        return r;
    }

    // "A cell is forbidden".
    bool forbidden(int cell) {
        if (rule != RENJU || makesFive(cell, BLACK)) return false;
        int sixes = 0, fours = 0, threes = 0;
        stones[cell] = BLACK;
        for (int d = 0; d < 4; d++) {
            const Run r = run(cell, d, BLACK);
            int wins = 0, straight = 0;
            for (int c : r.ends)
                if (isEmpty(c)) wins += run(c, d, BLACK).length == 5, straight += makesStraightFour(c, d);
            sixes += r.length > 5;
            fours += wins == 2 && r.length == 4 ? 1 : wins;
            threes += straight > 0;
        }
        stones[cell] = EMPTY;
        return sixes > 0 || fours > 1 || threes > 1;
    }

    // "Threes": whether black may play `c` and has a straight four then.
    bool makesStraightFour(int c, int d) {
        stones[c] = BLACK;
        const Run r = run(c, d, BLACK);
        bool straight = r.length == 4;
        for (int end : r.ends) straight = straight && isEmpty(end) && run(end, d, BLACK).length == 5;
        stones[c] = EMPTY;
        return straight && !makesFive(c, BLACK) && !forbidden(c);
    }
};
