import TestSupport
import Testing

@testable import EntityTables

@Suite("The tree of an entity table")
struct EntityTreeTests {
    /// A table that must hold what a dictionary does.
    private struct Version<Style: HashStyle> {
        var table = Things<Style>()
        var model: [StyledID<Style>: Thing<Style>] = [:]

        func check(_ hint: Comment) {
            table._invariantCheck()
            #expect(table.count == model.count, hint)
            for (id, thing) in model { #expect(table[id] == thing, hint) }
            var seen: Set<StyledID<Style>> = []
            for thing in table {
                #expect(seen.insert(thing.id).inserted, hint)
                #expect(model[thing.id] == thing, hint)
            }
            #expect(seen.count == model.count, hint)
        }

        mutating func change(_ random: inout SeededGenerator, step: Int) {
            let number = random.below(60)
            let id = StyledID<Style>(number)
            switch random.below(8) {
            case 0, 1, 2:
                let thing = Thing<Style>(number, step)
                #expect(table.upsert(thing) == model.updateValue(thing, forKey: id))
            case 3: #expect(table.remove(id) == model.removeValue(forKey: id))
            case 4:
                table[id]?.text += "!"
                model[id]?.text += "!"
            case 5:
                let thing = random.below(2) == 0 ? nil : Thing<Style>(number, step)
                table[id] = thing
                model[id] = thing
            case 6:
                let thing = Thing<Style>(number, -step)
                #expect(table.insert(thing) == (model[id] == nil))
                if model[id] == nil { model[id] = thing }
            default:
                #expect((table.update(id) { $0.flag.toggle() } == nil) == (model[id] == nil))
                model[id]?.flag.toggle()
            }
        }
    }

    private func runRandomly<Style: HashStyle>(_ style: Style.Type, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var versions = [Version<Style>()]
        for step in 0..<250 {
            var version = versions[random.below(versions.count)]
            for _ in 0...random.below(4) { version.change(&random, step: step) }
            if versions.count < 6 { versions.append(version) } else { versions[random.below(6)] = version }
            let hint: Comment = "\(style), seed \(seed), step \(step)"
            versions[random.below(versions.count)].check(hint)
            checkDifference(versions[random.below(versions.count)], version, hint)
            if step % 50 == 0 { versions.forEach { $0.check(hint) } }
        }
        versions.forEach { $0.check("\(style), seed \(seed), the end") }
    }

    /// The difference applied to one version gives the other, and is as small as it can be.
    private func checkDifference<Style: HashStyle>(_ old: Version<Style>, _ new: Version<Style>, _ hint: Comment) {
        let comparison = TreeComparison(from: old.table.root, to: new.table.root) { $0.entity == $1.entity }
        var result = old.model
        for difference in comparison.differences {
            switch difference {
            case .added(let thing): #expect(result.updateValue(thing, forKey: thing.id) == nil, hint)
            case .removed(let thing): #expect(result.removeValue(forKey: thing.id) == thing, hint)
            case .changed(let before, let after):
                #expect(before != after && before.id == after.id, hint)
                #expect(result.updateValue(after, forKey: after.id) == before, hint)
            }
        }
        #expect(result == new.model, hint)
        #expect((old.table == new.table) == (old.model == new.model), hint)
        #expect(old.model != new.model || old.table.hashValue == new.table.hashValue, hint)
    }

    @Test(
        "several live versions keep what they hold, whatever becomes of the others", arguments: seeds(1..<4))
    func versions(seed: UInt64) {
        runRandomly(Sequential.self, seed: seed)
        runRandomly(Constant.self, seed: seed)
        runRandomly(Crowded.self, seed: seed)
        runRandomly(Deep.self, seed: seed)
        runRandomly(Paired.self, seed: seed)
        runRandomly(Mixed.self, seed: seed)
    }

    /// Every subset of a few things, made in two orders, and every edit of one thing in it.
    private func tryAll<Style: HashStyle>(_ style: Style.Type) {
        let numbers = Array(0..<6)
        for subset in 0..<(1 << numbers.count) {
            let chosen = numbers.filter { subset >> $0 & 1 == 1 }
            let table = Things<Style>(chosen.map { Thing($0) })
            let reversed = Things<Style>(chosen.reversed().map { Thing($0) })
            table._invariantCheck()
            #expect(table == reversed)
            #expect(Set(table.map(\.id.rawValue)) == Set(chosen))
            for number in numbers { tryEdits(table, number, isThere: chosen.contains(number)) }
        }
    }

    private func tryEdits<Style: HashStyle>(_ table: Things<Style>, _ number: Int, isThere: Bool) {
        let id = StyledID<Style>(number)
        let before = Array(table)
        var added = table
        added.upsert(Thing(number, 1))
        added._invariantCheck()
        #expect(added.count == table.count + (isThere ? 0 : 1))
        #expect(added[id] == Thing(number, 1))
        var removed = added
        #expect(removed.remove(id) == Thing(number, 1))
        removed._invariantCheck()
        #expect(!removed.contains(id) && removed[id] == nil)
        var emptied = table
        emptied[id] = nil
        emptied._invariantCheck()
        #expect(emptied == removed)
        #expect(Array(table) == before)
        var restored = removed
        if isThere { restored.upsert(Thing(number)) }
        #expect(restored == table)
    }

    @Test("small worlds are tried out whole, with hashes that collide in every way")
    func smallWorlds() {
        tryAll(Sequential.self)
        tryAll(Constant.self)
        tryAll(Crowded.self)
        tryAll(Deep.self)
        tryAll(Paired.self)
    }

    @Test("an edit copies the way to its entity and shares all else")
    func sharing() {
        let table = Things<Mixed>((0..<10_000).map { Thing($0) })
        var edited = table
        edited[StyledID(4_321)]?.flag = true
        #expect(nodes(of: edited).subtracting(nodes(of: table)).count <= 4)
        #expect(nodes(of: edited).count == nodes(of: table).count)
    }

    private func nodes<Entity>(of table: EntityTable<Entity>) -> Set<ObjectIdentifier> {
        var found: Set<ObjectIdentifier> = []
        func visit(_ node: TreeNode<Entity>) {
            found.insert(ObjectIdentifier(node))
            node.childNodes.forEach(visit)
        }
        table.root.map(visit)
        return found
    }

    @Test("an edit of a table that nobody shares is in place, down to the entity's own buffers")
    func inPlace() throws {
        struct Holder: Identifiable, Encodable, Sendable {
            var id: Int
            var numbers: [Int]
            var start: UnsafeRawPointer? { numbers.withUnsafeBytes { $0.baseAddress } }
        }
        var table = EntityTable((0..<100).map { Holder(id: $0, numbers: Array(0..<50)) })
        let start = table[7]?.start
        let before = nodes(of: table)
        table[7]?.numbers[3] = -1
        table.update(7) { $0.numbers[4] = -2 }
        #expect(table[7]?.start == start)
        #expect(table[7]?.numbers[3] == -1)
        #expect(nodes(of: table) == before)
    }

    @Test("nodes and entities go away with the last version that holds them")
    func lifetimes() {
        final class Token: Sendable {}
        struct Held: Identifiable, Encodable, Sendable {
            var id: Int
            var token: Token
            enum CodingKeys: String, CodingKey { case id }
        }
        weak var token: Token?
        var table = EntityTable<Held>()
        for id in 0..<300 { table.upsert(Held(id: id, token: Token())) }
        token = table[150]?.token
        var copy = table
        table[150] = nil
        #expect(token != nil)
        copy.remove(150)
        #expect(token == nil)
        token = table[0]?.token
        table.removeAll()
        #expect(token != nil)
        copy.setAll([])
        #expect(token == nil)
    }

    @Test("an entry of a hundred thousand takes little more than itself")
    func memory() {
        struct Small: Identifiable, Encodable, Sendable {
            var id: Int
            var score: Double
        }
        let filled = EntityTable((0..<100_000).map { Small(id: $0, score: 0) })
        #expect(filled.storageSize < 100_000 * 64)
    }
}

extension TreeNode {
    /// The children, for tests that walk a tree.
    fileprivate var childNodes: [TreeNode] { (0..<header.childMap.count).map { firstChild[$0] } }
}
