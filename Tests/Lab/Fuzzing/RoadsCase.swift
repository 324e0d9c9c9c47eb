import JSONCore
import TestSupport

/// A journal that holds against itself: whatever can be asked in two ways has one answer.
struct RoadsCase {
    private let journal: [UInt8]

    init(_ bytes: [UInt8]) { journal = bytes }

    func run() {
        let path = FuzzRun.write(journal, to: "journal")
        guard FuzzRun(["verify", path]).status == 0 else { return }
        let forward = FuzzRun(["replay", path])
        expectSame(forward.lines, FuzzRun(["replay", path, "--reverse"]).lines.reversed(), "backwards")
        seek(path, forward)
        scan(path)
        ask(path)
    }

    /// A journal in another writer's form, without sums: other code reads it.
    private func foreign() -> [UInt8] {
        var form = ForeignForm(seed: UInt64(journal.count))
        return form.journal(journal)
    }

    /// What a seek finds is what a pass meets.
    private func seek(_ path: String, _ forward: FuzzRun) {
        for line in forward.lines.suffix(6) {
            guard case .object(let state)? = try? JSONParser.parse(Array(line)), let value = state["value"],
                let seq = state["seq"]?.number?.integerValue
            else { fatalError("no state: \(String(decoding: line, as: UTF8.self))") }
            let sought = FuzzRun(["state", path, "--at", String(seq)])
            guard let first = sought.lines.first, let found = try? JSONParser.parse(Array(first)) else {
                fatalError("no state at \(seq): \(sought)")
            }
            require(found == value, "another state at \(seq): \(sought)")
        }
    }

    private func ask(_ path: String) {
        let own = Self.questions.map { FuzzRun([$0[0], path] + $0[1...]) }
        _ = FuzzRun.write(foreign(), to: "journal")
        for (question, own) in zip(Self.questions, own) {
            let foreign = FuzzRun([question[0], path] + question[1...])
            // What is no part of a state, such as a place, is printed in the order in which it was written.
            expectSame(own.lines.map(Self.sorted), foreign.lines.map(Self.sorted), "in another form, \(question)")
            require(own.status == foreign.status, "\(own)\n\(foreign)")
        }
    }

    /// A query of one value evaluates few positions, one of the whole state all of them.
    private func scan(_ path: String) {
        let pruned = FuzzRun(["bisect", path, "--bad", ".cart.a == 1"])
        let whole = FuzzRun(["bisect", path, "--bad", ". as $all | $all.cart.a == 1 or ([..] | length) < 0"])
        require(pruned.status == whole.status, "\(pruned)\n\(whole)")
    }

    /// A line with its members in ascending order.
    private static func sorted(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let value = try? JSONParser.parse(Array(line), order: .ascending) else { return line }
        return ArraySlice(value.text().utf8)
    }

    private func expectSame(_ one: [ArraySlice<UInt8>], _ two: [ArraySlice<UInt8>], _ what: String) {
        guard one.count == two.count else { fatalError("\(one.count) and \(two.count) lines \(what)") }
        for (left, right) in zip(one, two) where left != right {
            fatalError("\(what): \(String(decoding: left, as: UTF8.self))\n\(String(decoding: right, as: UTF8.self))")
        }
    }

    private static let questions: [[String]] = [
        ["replay", "--select", ".cart"], ["replay", "--select", ".", "--changed"], ["history", "/cart/a"],
        ["blame", "--at", "end"], ["state"], ["diff", "start", "end"], ["derived", "--define", "d=.cart", "--summary"],
        ["check", "--invariant", "t=.cart.a != 1"],
    ]
}
