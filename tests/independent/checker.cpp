// An independent checker of proofs, written from docs/reference/proof-format.md alone by an author who had not seen the verifiers in
// search/. It shares no code with them. Titles in quotation marks are sections of that page.
//
//   c++ -std=c++17 -O2 -o checker checker.cpp
//   ./checker [--quick] [--most N] PROOF RULE ROWSxCOLS BLACK/WHITE TO_MOVE
//   ./checker level8.gmkproof freestyle 15x15 g9j9h8i8/h10h9i9i7 black
//   ./checker --quick h8i9-folder freestyle 15x15 h8/i9 black
//
// PROOF is a file in binary form, or a folder with parts.json. The other arguments are the position whose win is claimed; a
// proof of any other is refused. Every reply is played, or with --quick those that the zone rule does not answer. --most
// gives up after N stones in a file. Exit status: 0 accepted, 1 refused, 2 wrong arguments or a file that is not there.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>
#include "game.h"
#include "sha256.h"

struct Refused { std::string reason; };
struct Unusable { std::string reason; };
void check(bool fine, const std::string& reason) { if (!fine) throw Refused{reason}; }

// ----------------------------------------------------------------------------------------------------- "The binary form"
struct Node {
    bool elsewhere = false, follows = false;  // "proven in another part"; whether a defence follows the move
    int move = 0;
    std::vector<int> threat;
    std::vector<std::pair<int, const Node*>> replies;
    std::vector<const Node*> defaults;
};

class Proof {
public:
    Position position{};
    bool passing = false;
    std::string name;
    std::map<size_t, Node, std::greater<size_t>> nodes;  // by where they begin, the last first: the root

    Proof(const Bytes& file, const std::string& fileName) : name(fileName), bytes(file) {
        check(bytes.size() > 12 && bytes.compare(0, 8, "GMKPROOF") == 0, "not a proof in binary form");
        const int rule = byte(9), flags = byte(10), rows = byte(11), cols = byte(12);
        start = 13 + rows * cols;
        check(byte(8) == 2, "unknown version");
        check(rule == FREESTYLE || rule == STANDARD || rule == RENJU, "unknown rule");
        check(flags < 4 && (flags & 1 || rule != RENJU), "wrong flags");
        check(rows >= 5 && rows <= 22 && cols >= 5 && cols <= 22, "no such board");
        check(bytes.size() >= start + 16 && bytes.compare(bytes.size() - 8, 8, "FOORPKMG") == 0, "cut off");
        passing = flags & 1;
        position = {rule, rows, cols, flags & 2 ? WHITE : BLACK, bytes.substr(13, start - 13)};
        for (char stone : position.stones) check(stone >= EMPTY && stone <= WHITE, "unknown stone");
        const Board board(position);
        for (int n = 0; n < rows * cols; n++)
            check(board.stones[n] == EMPTY || !board.makesFive(n, board.stones[n]), "somebody has won already");
        readBody(bytes.size() - 16);
    }

private:
    Bytes bytes;
    size_t start = 0;  // of the body

    int byte(size_t n) const { return static_cast<unsigned char>(bytes[n]); }

    // All nodes that the root leads to. References lead back, so one way down from the root meets each once.
    void readBody(size_t end) {
        uint64_t root = 0;
        for (int n = 7; n >= 0; n--) root = root << 8 | byte(end + n);
        check(root >= start && root < end, "the root is outside of the body");
        nodes[root];
        for (auto& [first, node] : nodes) {  // reading a node adds those that it leads to, further on in this map
            readNode(node, first, end);
            end = first;
        }
    }

    uint64_t varint(size_t& at, size_t end) const {
        uint64_t value = 0;
        for (int i = 0; i < 9; i++) {
            check(at < end, "a node does not end before the body or the next node");
            const int b = byte(at++);
            value |= uint64_t(b & 127) << 7 * i;
            if (b < 128) return value;
        }
        throw Refused{"a number of more than nine bytes"};
    }

    void readNode(Node& node, const size_t first, const size_t end) {
        size_t at = first;
        auto limited = [&](uint64_t n, bool fine) { return check(fine, "a cell, count or node that cannot be"), int(n); };
        auto cell = [&](uint64_t n) { return limited(n, n < position.stones.size()); };
        auto count = [&](uint64_t n) { return limited(n, n <= position.stones.size()); };
        auto reference = [&](uint64_t back) {
            check(back >= 1 && back <= first - start, "a reference out of the body");
            return &nodes[first - back];
        };
        const uint64_t head = varint(at, end);
        node.elsewhere = head == 3;
        if (node.elsewhere) return;
        node.move = cell(head / 4);
        node.follows = limited(head % 4, head % 4 < 3) > 0;
        if (head % 4 == 1) {  // "a four"
            node.threat = {cell(varint(at, end))};
            node.replies = {{node.threat[0], reference(varint(at, end))}};
        } else if (head % 4 == 2) {
            for (int n = count(varint(at, end)); n > 0; n--) node.threat.push_back(cell(varint(at, end)));
            for (int n = count(varint(at, end)); n > 0; n--) {
                const int reply = cell(varint(at, end));
                check(node.replies.empty() || reply > node.replies.back().first, "replies do not ascend");
                node.replies.push_back({reply, reference(varint(at, end))});
            }
            for (int n = count(varint(at, end)); n > 0; n--) node.defaults.push_back(reference(varint(at, end)));
        }
    }
};

// ---------------------------------------------------------------------------------------------------------------- "Parts"
using Parts = std::map<Bytes, bool>;  // the position of each part, as an image; whether passing is allowed in one of them

// The same key for all images of a position under the symmetries of the board.
Bytes leastImage(const Position& p) {
    Bytes least;
    for (int s = 0; s < (p.rows == p.cols ? 8 : 4); s++) {
        Position image = p;
        for (int n = 0; n < p.rows * p.cols; n++) {
            const int r = s & 1 ? p.rows - 1 - n / p.cols : n / p.cols, c = s & 2 ? p.cols - 1 - n % p.cols : n % p.cols;
            image.stones[s & 4 ? c * p.cols + r : r * p.cols + c] = p.stones[n];
        }
        if (least.empty() || image.key() < least) least = image.key();
    }
    return least;
}

// The file names of parts.json, each with its digest.
using List = std::vector<std::pair<Bytes, Bytes>>;
List readList(const Bytes& text) {
    List list;
    size_t at = 0;
    auto take = [&](const Bytes& word) {
        at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
        return text.compare(at, word.size(), word) == 0 && (at += word.size(), true);
    };
    auto need = [&](const Bytes& word) { check(take(word), "parts.json: no " + word + " at byte " + std::to_string(at)); };
    auto string = [&](const char* letters) {
        need("\"");
        const size_t first = at;
        at = std::min(text.find_first_not_of(letters, at), text.size());
        return need("\""), text.substr(first, at - 1 - first);
    };
    auto object = [&](std::set<Bytes> keys, auto member) {  // each of the keys once, and no other
        need("{");
        do {
            const Bytes key = string("abcdefghijklmnopqrstuvwxyz0123456789");
            check(keys.erase(key), "parts.json: the key " + key);
            need(":"), member(key);
        } while (take(","));
        need("}"), check(keys.empty(), "parts.json: a key is missing");
    };
    object({"version", "parts"}, [&](const Bytes& key) {
        if (key == "version") return need("2");
        need("[");
        do {
            list.emplace_back();
            object({"file", "sha256"}, [&](const Bytes& k) { (k == "file" ? list.back().first : list.back().second) =
                string("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-."); });
            const Bytes& name = list.back().first;
            check(!name.empty() && name[0] != '.' && name.size() <= 100, "parts.json: the name " + name);
            for (size_t n = 0; n + 1 < list.size(); n++) check(list[n].first != name, name + " stands in parts.json twice");
        } while (take(","));
        need("]");
    });
    return need(""), check(at == text.size(), "parts.json: more after its end"), list;
}

// -------------------------------------------------------------------------------------------------- "When a proof holds"
class Judge : Board {
public:
    long played = 0, stonesPut = 0;  // replies and passes; stones of both

    Judge(const Proof& p, const Parts& others, bool quick, long limit) : Board(p.position), proof(p), parts(others),
        zones(quick && rule != RENJU), most(limit), attacker(toMove), defender(3 - toMove) {}

    void root() {
        const Node& node = proof.nodes.begin()->second;
        Cells zone;
        check(!node.elsewhere, proof.name + ": its root is itself proven in another part");
        check(holds(node, 0, false, zone), proof.name + ": " + reason);
    }

private:
    const Proof& proof;
    const Parts& parts;
    const bool zones;
    const long most;
    const int attacker, defender;
    std::string reason;
    std::vector<int> path;                                      // the stones put on the board, in turn
    std::unordered_map<Bytes, std::pair<bool, Cells>> memory;  // verdicts on defences, and their zones

    // What is refused within a default is passed over. Elsewhere everything falls: the first refusal is the reason.
    bool refuse(bool within, const std::string& why) {
        if (within || !reason.empty()) return false;
        for (int cell : path) reason += name(cell) + " ";
        return reason += why, false;
    }

    void play(int cell, int colour) {
        check(stonesPut++ < most, "gave up after " + std::to_string(most) + " stones");
        put(cell, colour);
        path.push_back(cell);
    }
    void takeBack() { put(path.back(), EMPTY), path.pop_back(); }

    // "Node", and Z(e) of it, which is added to `zone`. At level 0 no zone is needed, and none is complete.
    bool holds(const Node& node, int e, bool within, Cells& zone) {
        if (node.elsewhere) {
            const auto part = e == 0 ? parts.find(leastImage(*this)) : parts.end();
            return (part != parts.end() && part->second >= proof.passing) || refuse(within, "is the position of no part");
        }
        if (!legal(node.move, attacker)) return refuse(within, name(node.move) + " cannot be played");
        zone.set(node.move);
        const bool five = makesFive(node.move, attacker);
        if (five == node.follows) return refuse(within, name(node.move) + (five ? " ends the game" : " makes no five"));
        if (five) return true;
        play(node.move, attacker);
        const Bytes key = stones + Bytes{char(e), char(e >> 8), char(within)} + std::to_string(size_t(&node));
        auto known = memory.find(key);
        if (known == memory.end()) {
            Cells own;
            const bool verdict = defence(node, e, within, own);
            if (memory.size() > 200000) memory.clear();
            known = memory.insert({key, {verdict, own}}).first;
        }
        takeBack();
        zone |= known->second.second;
        return known->second.first;
    }

    // "Defence". The numbers are those of its steps.
    bool defence(const Node& node, int e, bool within, Cells& zone) {
        Cells open;  // the legal replies that are still to be answered
        for (int n = 0; n < int(stones.size()); n++) open[n] = legal(n, defender);
        bool openPass = proof.passing || open.none();
        for (auto& [reply, answer] : node.replies)  // 1
            if (!open[reply] && !within) return refuse(within, name(reply) + " is no legal reply");
        if (empty == 0) return refuse(within, "fills the board");                                 // 2
        if (!fiveCells(defender).empty()) return refuse(within, "lets the defender make five");  // 3
        if (e > 0) zone |= near(e, attacker);
        for (auto& [reply, answer] : node.replies) {  // 4, the replies that are named
            if (!open[reply]) continue;
            open.reset(reply);
            played++;
            play(reply, defender);
            const bool verdict = holds(*answer, e, within, zone);
            takeBack();
            if (!verdict) return false;
        }
        for (size_t i = 0; zones && i <= node.defaults.size() && (open.any() || openPass); i++) {  // "The zone rule"
            Cells further;
            if (!attackWins(node, i, e + 1, further) || (!openPass && (open & ~further).none())) continue;
            played++;
            openPass = false;
            open &= further;
            zone |= further;
        }
        for (int n = 0; n < int(stones.size()); n++) {  // 4, the other replies
            if (!open[n]) continue;
            play(n, defender);
            const bool verdict = someAttackWins(node, e, zone) || refuse(within, "is not answered");
            takeBack();
            if (!verdict) return false;
        }
        return !openPass || someAttackWins(node, e, zone) || refuse(within, "pass is not answered");  // 5
    }

    bool someAttackWins(const Node& node, int e, Cells& zone) {
        played++;
        for (size_t i = 0; i <= node.defaults.size(); i++) {
            Cells own;
            if (attackWins(node, i, e, own)) return zone |= own, true;
        }
        return false;
    }

    // The threat (0), or a default (from 1).
    bool attackWins(const Node& node, size_t i, int e, Cells& zone) {
        return i == 0 ? threatWins(node.threat, 0, e, zone) : holds(*node.defaults[i - 1], e, true, zone);
    }

    // "Threat", from its cell number `i` on, and Z(e) of it.
    bool threatWins(const std::vector<int>& threat, size_t i, int e, Cells& zone) {
        if (i == threat.size() || !legal(threat[i], attacker)) return false;  // 1
        zone.set(threat[i]);
        if (makesFive(threat[i], attacker)) return true;  // 2
        play(threat[i], attacker);
        const std::vector<int> fives = fiveCells(attacker);
        bool wins = fiveCells(defender).empty() && !fives.empty();  // 3
        if (wins && e > 0) zone |= near(e, attacker);
        for (size_t n = 0; n < fives.size() && n < 2; n++) zone.set(fives[n]);
        if (wins && fives.size() == 1 && legal(fives[0], defender)) {  // 4
            play(fives[0], defender);
            wins = threatWins(threat, i + 1, e, zone);
            takeBack();
        }
        takeBack();
        return wins;
    }
};

// ------------------------------------------------------------------------------------------------------ The command line
Bytes readFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Unusable{"cannot open " + path.string()};
    return {std::istreambuf_iterator<char>(in), {}};
}

// A proof in one file is a list of one part, with no others to rest on.
void judgeAll(const std::filesystem::path& path, const Position& claim, bool quick, long most) {
    const bool folder = std::filesystem::is_directory(path);
    std::list<Proof> proofs;
    Parts parts;
    long played = 0, stones = 0, nodes = 0;
    for (const auto& [name, digest] : folder ? readList(readFile(path / "parts.json")) : List{{"the proof", ""}}) try {
        const Bytes bytes = readFile(folder ? path / name : path);
        check(!folder || sha256(bytes) == digest, "its digest is not the one in parts.json");
        const Proof& proof = proofs.emplace_back(bytes, name);
        check(proofs.size() > 1 || proof.position.key() == claim.key(), "it is about another position");
        if (folder) parts[leastImage(proof.position)] |= proof.passing;
    } catch (const Refused& refused) { throw Refused{name + ": " + refused.reason}; }
    for (const Proof& proof : proofs) {
        Judge judge(proof, parts, quick, most);
        judge.root();
        played += judge.played, stones += judge.stonesPut, nodes += long(proof.nodes.size());
    }
    std::cout << "accepted: " << proofs.size() << " files, " << nodes << " nodes, " << played << " replies played, " << stones
              << " stones put\n";
}

// RULE ROWSxCOLS BLACK/WHITE TO_MOVE
Position readClaim(std::stringstream words) {
    const std::map<std::string, int> rules{{"freestyle", FREESTYLE}, {"standard", STANDARD}, {"renju", RENJU}};
    const auto need = [](bool fine, const std::string& what) { if (!fine) throw Unusable{what}; };
    std::string rule, stones, toMove;
    char by = 0, column = 0;
    Position p{};
    words >> rule >> p.rows >> by >> p.cols >> stones >> toMove;
    need(words && rules.count(rule), "write RULE ROWSxCOLS BLACK/WHITE TO_MOVE; RULE is freestyle, standard or renju");
    need(by == 'x' && std::min(p.rows, p.cols) >= 5 && std::max(p.rows, p.cols) <= 22, "a board is 5x5 to 22x22");
    need(toMove == "black" || toMove == "white", "TO_MOVE is black or white");
    p.rule = rules.at(rule), p.toMove = toMove == "black" ? BLACK : WHITE;
    p.stones.assign(p.rows * p.cols, EMPTY);
    int colour = BLACK, row = 0;
    for (std::stringstream in(stones); in >> column;) {
        if (column == '/') { colour = WHITE; continue; }
        need(in >> row && column >= 'a' && column < 'a' + p.cols && row > 0 && row <= p.rows, "no such cells: " + stones);
        p.stones[(p.rows - row) * p.cols + column - 'a'] = char(colour);
    }
    return p;
}

int main(int count, char** arguments) try {
    bool quick = false;
    long most = 1L << 62;
    int at = 1;
    for (; at < count && arguments[at][0] == '-'; at++)
        if (arguments[at] == Bytes("--quick")) quick = true;
        else if (arguments[at] == Bytes("--most") && at + 1 < count) most = std::stol(arguments[++at]);
        else throw Unusable{"unknown option " + Bytes(arguments[at])};
    std::stringstream words;
    for (int n = at + 1; n < count; n++) words << arguments[n] << " ";
    const Position claim = readClaim(std::move(words));
    return judgeAll(arguments[at], claim, quick, most), 0;
} catch (const Refused& refused) {
    return std::cout << "refused: " << refused.reason << "\n", 1;
} catch (const Unusable& unusable) {
    return std::cerr << unusable.reason << "\n", 2;
} catch (const std::exception& failure) {  // no memory, say, or no number after --most
    return std::cerr << failure.what() << "\n", 2;
}
