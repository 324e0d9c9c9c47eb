import JSONCore
import TestSupport
import Testing

@Suite("Edits of lists")
struct ListEditTests {
    /// The list that the steps make of the old one.
    static func apply<Element>(_ script: ListEdit.Script, to old: [Element], insertingFrom new: [Element]) -> [Element]
    {
        var list = old
        for step in script.steps {
            switch step {
            case .remove(let index): list.remove(at: index)
            case .move(let from, let to): list.insert(list.remove(at: from), at: to)
            case .insert(let index): list.insert(new[index], at: index)
            }
        }
        return list
    }

    @Test("a script makes the new list of the old one, but for its pairs", arguments: seeds(0..<2_000))
    func withoutIdentity(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        let letters = 1 + random.below(6)
        let old = (0..<random.below(20)).map { _ in random.below(letters) }
        var new = old
        for _ in 0..<random.below(6) {
            if !new.isEmpty, random.chance(50) { new.remove(at: random.below(new.count)) }
            new.insert(random.below(letters), at: random.below(new.count + 1))
        }
        let hashed = ListEdit.script(old, new)
        let compared = ListEdit.script(oldCount: old.count, newCount: new.count) { old[$0] == new[$1] }
        #expect(hashed == compared)
        var result = ListEditTests.apply(hashed, to: old, insertingFrom: new)
        for pair in hashed.pairs {
            #expect(result[pair.new] == old[pair.old])
            result[pair.new] = new[pair.new]
        }
        #expect(result == new)
        #expect(old != new || hashed.isEmpty)
    }

    @Test("elements with an identity are matched by it", arguments: seeds(0..<2_000))
    func withIdentity(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let old = Array((0..<30).shuffled(using: &random.generator).prefix(random.below(20)))
        let new = Array(((0..<30).shuffled(using: &random.generator) as [Int]).prefix(random.below(20)))
        let script = try #require(ListEditTests.scriptByIdentity(old, new) { $0 })
        #expect(ListEditTests.apply(script, to: old, insertingFrom: new) == new)
        #expect(script.pairs.isEmpty)
        let removals = script.steps.count(where: \.isRemoval)
        #expect(removals == old.count { !new.contains($0) })
        let insertions = script.steps.count(where: \.isInsertion)
        #expect(insertions == new.count { !old.contains($0) })
        let kept = old.filter(new.contains)
        #expect(
            script.steps.count - removals - insertions == kept.count
                - ListEditTests.longestCommonSubsequence(kept, new.filter(old.contains)))
    }

    private struct Item: Equatable {
        var id: Int
        var value: Int
    }

    private static func scriptByIdentity<Element: Equatable>(
        _ old: [Element], _ new: [Element], id: (Element) -> Int
    ) -> ListEdit.Script? {
        ListEdit.script(
            oldCount: old.count, newCount: new.count, equal: { old[$0] == new[$1] }, oldID: { id(old[$0]) },
            newID: { id(new[$0]) })
    }

    private static func longestCommonSubsequence(_ a: [Int], _ b: [Int]) -> Int {
        var row = [Int](repeating: 0, count: b.count + 1)
        for x in a {
            var diagonal = 0
            for (index, y) in b.enumerated() {
                let above = row[index + 1]
                row[index + 1] = x == y ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[b.count]
    }

    @Test("kept elements that differ inside are pairs at their new places")
    func identityPairs() throws {
        let old = [Item(id: 1, value: 1), Item(id: 2, value: 1), Item(id: 3, value: 1), Item(id: 4, value: 1)]
        let new = [Item(id: 4, value: 1), Item(id: 2, value: 2), Item(id: 9, value: 1), Item(id: 3, value: 1)]
        let script = try #require(ListEditTests.scriptByIdentity(old, new) { $0.id })
        #expect(script.steps == [.remove(at: 0), .move(from: 2, to: 0), .insert(at: 2)])
        #expect(script.pairs == [ListEdit.Pair(old: 1, new: 1)])
    }

    @Test("an identity that is missing or repeated gives no script")
    func noIdentity() {
        func script(_ old: [Int?], _ new: [Int?]) -> ListEdit.Script? {
            ListEdit.script(
                oldCount: old.count, newCount: new.count, equal: { _, _ in false }, oldID: { old[$0] },
                newID: { new[$0] })
        }
        #expect(script([1, 1], [2]) == nil)
        #expect(script([1], [2, 2]) == nil)
        #expect(script([1, nil], [2]) == nil)
        #expect(script([], []) != nil)
    }

    @Test("an insertion, a removal and a change far apart are one step each")
    func farApart() {
        let old = Array(0..<1_000)
        var new = old
        new[900] = -1
        new.remove(at: 500)
        new.insert(-2, at: 100)
        let script = ListEdit.script(old, new)
        #expect(script.steps == [.remove(at: 500), .insert(at: 100)])
        #expect(script.pairs == [ListEdit.Pair(old: 900, new: 900)])
    }

    @Test("beyond the limit the search gives up, and elements that are there once still match")
    func beyondTheLimit() {
        let old = Array(0..<4_000)
        let new = old.flatMap { $0.isMultiple(of: 3) ? [$0, -$0 - 1] : [$0] }
        let script = ListEdit.script(old, new)
        #expect(script.steps.count == new.count - old.count)
        #expect(script.pairs.isEmpty)
        #expect(ListEditTests.apply(script, to: old, insertingFrom: new) == new)
        let unlike = ListEdit.script(old, old.map { -$0 - 1 } + [7])
        #expect(unlike.pairs.count == 4_000)
        #expect(unlike.steps == [.insert(at: 4_000)])
        let shuffled = Array(old.reversed())
        #expect(ListEdit.script(old, shuffled).pairs.count >= 3_998)
    }
}

extension ListEdit.Step {
    fileprivate var isRemoval: Bool { if case .remove = self { true } else { false } }
    fileprivate var isInsertion: Bool { if case .insert = self { true } else { false } }
}
