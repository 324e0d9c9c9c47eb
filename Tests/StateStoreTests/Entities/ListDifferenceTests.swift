import TestSupport
import Testing

@testable import EntityTables
@testable import StatePatterns

@Suite("Differences of lists")
struct ListDifferenceTests {
    struct Row: Identifiable, Equatable, Sendable {
        var id: Int
        var text = ""
    }

    /// What a table view makes of a batch: rows by their old indices go or are lifted out, the others close up, and rows are
    /// put in at their new indices.
    private func applied(_ difference: ListDifference, to old: [Row], from new: [Row]) -> [Row] {
        var old = old
        for update in difference.updates { old[update.old] = new[update.new] }
        let leaving = Set(difference.deletes + difference.moves.map(\.old))
        var arriving: [Int: Row] = [:]
        for place in difference.inserts { arriving[place] = new[place] }
        for move in difference.moves { arriving[move.new] = old[move.old] }
        var staying = old.indices.filter { !leaving.contains($0) }.map { old[$0] }[...]
        var result: [Row] = []
        while result.count < staying.count + result.count || arriving[result.count] != nil {
            if let row = arriving.removeValue(forKey: result.count) {
                result.append(row)
            } else if let row = staying.popFirst() {
                result.append(row)
            } else {
                break
            }
        }
        return arriving.isEmpty ? result : []
    }

    /// The length of a longest increasing subsequence, by trying all.
    private func longest(_ numbers: [Int]) -> Int {
        var lengths: [Int] = []
        for (place, number) in numbers.enumerated() {
            lengths.append(
                1 + (lengths.indices.filter { numbers[$0] < number && $0 < place }.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }

    private func list(_ random: inout SeededGenerator, ids: Int, count: Int, distinct: Bool) -> [Row] {
        let numbers =
            distinct
            ? Array((0..<ids).shuffled(using: &random).prefix(count)) : (0..<count).map { _ in random.below(ids) }
        return numbers.map { Row(id: $0, text: random.below(3) == 0 ? "b" : "a") }
    }

    private func check(_ old: [Row], _ new: [Row], _ hint: Comment) {
        let difference = ListDifference(from: old, to: new)
        #expect(applied(difference, to: old, from: new) == new, hint)
        #expect(
            difference.deletes == difference.deletes.sorted() && difference.inserts == difference.inserts.sorted(), hint
        )
        #expect(Set(difference.deletes).isDisjoint(with: difference.moves.map(\.old)), hint)
        #expect(Set(difference.inserts).isDisjoint(with: difference.moves.map(\.new)), hint)
        for pair in difference.moves + difference.updates { #expect(old[pair.old].id == new[pair.new].id, hint) }
        for update in difference.updates { #expect(old[update.old] != new[update.new], hint) }
        #expect(difference.isEmpty == (old == new), hint)
        // What is in both lists neither comes nor goes.
        var counts: [Int: Int] = [:]
        for row in old { counts[row.id, default: 0] += 1 }
        for row in new { counts[row.id, default: 0] -= 1 }
        #expect(difference.deletes.count == counts.values.filter { $0 > 0 }.reduce(0, +), hint)
        #expect(difference.inserts.count == counts.values.filter { $0 < 0 }.reduce(0, -), hint)
    }

    @Test(
        "applied as a table view does, the difference of random lists gives the new list", arguments: seeds(1..<5))
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for step in 0..<300 {
            let distinct = step % 2 == 0
            let old = list(&random, ids: 12, count: random.below(13), distinct: distinct)
            let new = list(&random, ids: 12, count: random.below(13), distinct: distinct)
            check(old, new, "seed \(seed), step \(step)")
        }
    }

    @Test("as few elements move as can be", arguments: seeds(1..<4))
    func fewestMoves(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for step in 0..<200 {
            let old = list(&random, ids: 14, count: random.below(15), distinct: true)
            let new = list(&random, ids: 14, count: random.below(15), distinct: true)
            let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
            let shared = new.compactMap { places[$0.id] }
            let difference = ListDifference(from: old, to: new)
            #expect(difference.moves.count == shared.count - longest(shared), "seed \(seed), step \(step)")
        }
    }

    @Test("an identity that is there twice is matched in order")
    func duplicates() {
        let old = [1, 1, 2].map { Row(id: $0) }
        #expect(ListDifference(from: old, to: [1, 2].map { Row(id: $0) }).deletes == [1])
        #expect(ListDifference(from: old, to: [1, 1, 1, 2].map { Row(id: $0) }).inserts == [2])
        #expect(ListDifference(from: old, to: old).isEmpty)
    }

    @Test("a comparison of the caller's says what is an update")
    func comparison() {
        let (old, new) = ([Row(id: 1, text: "a")], [Row(id: 1, text: "A")])
        #expect(ListDifference(from: old, to: new).updates.count == 1)
        #expect(ListDifference(from: old, to: new) { $0.text.lowercased() == $1.text.lowercased() }.isEmpty)
    }

    @Test("an element that holds something else is an update, whatever its '==' says, unless that is asked for")
    func ownEquality() {
        struct Song: Identifiable, Equatable {
            let id = 1
            var title: String
            static func == (left: Song, right: Song) -> Bool { left.id == right.id }
        }
        let (old, new) = ([Song(title: "a title of the old one")], [Song(title: "a title of the new one")])
        #expect(ListDifference(from: old, to: new).updates.count == 1)
        #expect(ListDifference(from: old, to: new, by: ==).isEmpty)
        #expect(ListDifference(from: old, to: [Song(title: "a title of " + "the old one")]).isEmpty)
    }

    @Test("a change at the ends of a large list compares each element once")
    func linear() {
        let old = (0..<10_000).map { Row(id: $0) }
        var comparisons = 0
        let difference = ListDifference(from: old, to: [Row(id: -1)] + old.dropLast()) { left, right in
            comparisons += 1
            return left == right
        }
        #expect(difference.inserts == [0] && difference.deletes == [9_999] && difference.moves.isEmpty)
        #expect(comparisons == 9_999)
    }
}
