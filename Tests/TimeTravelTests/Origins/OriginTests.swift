import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@Suite("Where a value comes from")
struct OriginTests {
    @Test("every value of a random run has the way that its making took", arguments: seeds(0..<60))
    func random(seed: UInt64) throws {
        var maker = ProvenanceMaker(seed: seed)
        let folder = TemporaryFolder()
        for _ in 0..<80 { maker.commit() }
        let journal = try Journal.open(folder.write(maker.journal.bytes, to: "run.jsonl"), access: .random)
        for (path, expected) in maker.ways {
            let origin = try #require(
                try Origin(of: JSONPointer(parsing: path), at: journal.lastCommit, in: journal, limit: 1_000))
            #expect(origin.end == .complete)
            #expect(origin.hops.map(ProvenanceMaker.Hop.init) == expected, "seed \(seed), \(path)")
        }
    }

    @Test(
        "where equal values meet by chance, what is recorded is right, and what is inferred is wrong no more often than they meet",
        arguments: [(30, 0.7), (300, 0.9), (3_000, 0.98)])
    func chance(variety: Int, precision: Double) throws {
        var hops = HopCount()
        for seed in 0..<10 as Range<UInt64> {
            var maker = ProvenanceMaker(seed: seed, variety: variety)
            let folder = TemporaryFolder()
            for _ in 0..<80 { maker.commit() }
            let journal = try Journal.open(folder.write(maker.journal.bytes, to: "run.jsonl"), access: .random)
            for (path, way) in maker.ways {
                let origin = try #require(
                    try Origin(of: JSONPointer(parsing: path), at: journal.lastCommit, in: journal, limit: 1_000))
                hops.add(origin.hops.map(ProvenanceMaker.Hop.init), truth: way)
            }
        }
        #expect(hops.recorded.right == hops.recorded.all, "\(hops)")
        #expect(hops.precision >= precision && hops.found >= 0.85, "\(hops)")
    }

    @Test("a way that is cut at a number of hops is the beginning of the whole one", arguments: seeds(0..<10))
    func limit(seed: UInt64) throws {
        var maker = ProvenanceMaker(seed: seed)
        let folder = TemporaryFolder()
        for _ in 0..<80 { maker.commit() }
        let journal = try Journal.open(folder.write(maker.journal.bytes, to: "run.jsonl"), access: .random)
        for (path, expected) in maker.ways {
            for limit in 1...3 {
                let origin = try #require(
                    try Origin(of: JSONPointer(parsing: path), at: journal.lastCommit, in: journal, limit: limit))
                #expect(origin.hops.map(ProvenanceMaker.Hop.init) == Array(expected.prefix(limit)))
                #expect(origin.end == (expected.count > limit ? .limit : .complete))
            }
        }
    }

    @Test("values that stand anywhere are not followed")
    func trivial() throws {
        let run = try OriginRun(
            #"{"a":"word","b":1,"c":null}"#,
            [#"[{"op":"add","path":"/d","value":"word"}]"#, #"[{"op":"replace","path":"/c","value":1,"old":null}]"#])
        #expect(try run.ways("/s/d") == ["written recorded 1 /s/d"])
        #expect(try run.ways("/s/c") == ["written recorded 2 /s/c"])
        #expect(try run.ways("/s/a") == ["initial recorded 0 /s/a"])
    }

    @Test("several places with an equal value are candidates, and end the way")
    func candidates() throws {
        let run = try OriginRun(
            #"{"a":"a long text","b":["a long text"]}"#, [#"[{"op":"add","path":"/d","value":"a long text"}]"#])
        let origin = try #require(try Origin(of: JSONPointer(["s", "d"]), at: CommitNumber(1), in: run.journal))
        #expect(origin.hops.map(\.how) == [.written])
        #expect(origin.hops.first?.candidates.map(\.text) == ["/s/a", "/s/b/0"])
    }

    @Test("a member is followed through the element that was copied whole, also where its own value is ambiguous")
    func wholes() throws {
        let run = try OriginRun(
            #"{"menu":[{"name":"Lemon","price":30},{"name":"Apple","price":30}],"cart":[]}"#,
            [
                #"[{"op":"replace","path":"/menu/1/price","value":25,"old":30}]"#,
                #"[{"op":"replace","path":"/menu/0/price","value":25,"old":30}]"#,
                #"[{"op":"add","path":"/cart/0","value":{"name":"Apple","price":25}}]"#,
                #"[{"op":"add","path":"/cart/0","value":{"name":"Lemon","price":25}}]"#,
            ])
        #expect(
            try run.ways("/s/cart/1/price") == [
                "moved inferred 4 /s/cart/1/price", "copied inferred 3 /s/cart/0/price",
                "computed inferred 1 /s/menu/1/price",
            ])
    }

    @Test("a commit that writes what is there is passed over")
    func sameAgain() throws {
        let run = try OriginRun(
            #"{"a":12}"#,
            [
                #"[{"op":"replace","path":"/a","value":25,"old":12}]"#,
                #"[{"op":"replace","path":"/a","value":25,"old":25}]"#,
            ])
        #expect(try run.ways("/s/a") == ["computed inferred 1 /s/a"])
    }

    @Test("an element that is inserted where an equal one stood came with its action")
    func equalElement() throws {
        let run = try OriginRun(
            #"{"ids":["number 7"]}"#, [#"[{"op":"add","path":"/ids/0","value":"number 7"}]"#],
            action: EncodedAction(type: "Add", payload: Array(#"["number 7"]"#.utf8)))
        #expect(try run.ways("/s/ids/0") == ["payload recorded 1 /s/ids/0"])
        #expect(try run.ways("/s/ids/1") == ["moved inferred 1 /s/ids/1", "initial recorded 0 /s/ids/0"])
    }

    @Test("an element in front of which a copy of it is inserted is shifted, which the journal does not say")
    func copiedInFront() throws {
        let run = try OriginRun(#"{"ids":["number 7"]}"#, [#"[{"op":"copy","from":"/ids/0","path":"/ids/0"}]"#])
        #expect(try run.ways("/s/ids/0") == ["copied recorded 1 /s/ids/0", "initial recorded 0 /s/ids/0"])
        #expect(try run.ways("/s/ids/1") == ["moved inferred 1 /s/ids/1", "initial recorded 0 /s/ids/0"])
    }

    @Test("nothing at the path is no origin")
    func nothing() throws {
        let run = try OriginRun(#"{"a":12}"#, [])
        #expect(try Origin(of: JSONPointer(["s", "b"]), at: .zero, in: run.journal) == nil)
    }

    @Test("a commit that was lost ends the way, and says so")
    func gap() throws {
        let folder = TemporaryFolder()
        var lines = OriginRun.begin(#"{"a":12}"#)
        lines.beginGap(first: CommitNumber(1), lost: 3, time: OriginRun.time, reason: "lost")
        Array(#"{"a":70}"#.utf8).withBytes { lines.state(of: "s", $0) }
        lines.endGap()
        let journal = try Journal.open(folder.write(lines.bytes, to: "run.jsonl"), access: .random)
        let origin = try #require(try Origin(of: JSONPointer(["s", "a"]), at: CommitNumber(3), in: journal))
        #expect(origin.hops.map(\.how) == [.written])
        #expect(origin.end == .lost)
    }
}

/// How many hops of ways that were answered are those that the values took.
struct HopCount: CustomStringConvertible {
    /// Hops that are recorded, of those that come before the first wrong one.
    private(set) var recorded = (right: 0, all: 0)
    /// Copies that were inferred, of those that come before the first wrong one.
    private(set) var inferred = (right: 0, all: 0)
    /// Copies that values made without a record of it, as far as the answer was right up to them.
    private(set) var copies = 0
    /// Those of them whose place is one of several that were named.
    private(set) var named = 0

    var precision: Double { Double(inferred.right) / Double(max(inferred.all, 1)) }
    var recall: Double { Double(inferred.right) / Double(max(copies, 1)) }
    /// The share of copies whose place was named, alone or among others.
    var found: Double { Double(inferred.right + named) / Double(max(copies, 1)) }

    var description: String {
        "recorded \(recorded.right) of \(recorded.all), precision \(precision), recall \(recall) of \(copies) copies, "
            + "found \(found)"
    }

    /// Adds the hops of one answer.
    ///
    /// An inferred copy is right where the next hop is that of the place it came from.
    mutating func add(_ answer: [ProvenanceMaker.Hop], truth: [ProvenanceMaker.Hop]) {
        func isInferredCopy(_ hop: ProvenanceMaker.Hop) -> Bool { hop.how == .copied && hop.basis == .inferred }
        for index in 0..<max(answer.count, truth.count) {
            let (said, real) = (
                index < answer.count ? answer[index] : nil, index < truth.count ? truth[index] : nil
            )
            let next = index + 1
            let isRight =
                said == real
                && (said.map(isInferredCopy) != true
                    || next < answer.count && next < truth.count && answer[next].path == truth[next].path
                        && answer[next].seq == truth[next].seq)
            if let real, isInferredCopy(real) {
                copies += 1
                if let said, next < truth.count, said.candidates.contains(truth[next].path) { named += 1 }
            }
            if let said, isInferredCopy(said) {
                inferred.all += 1
                if isRight { inferred.right += 1 }
            } else if let said, said.basis == .recorded {
                recorded.all += 1
                if isRight { recorded.right += 1 }
            }
            if !isRight { return }
        }
    }
}

/// A journal of one store `s` whose patches are written by hand.
struct OriginRun {
    static let time = Timestamp("2026-01-01T00:00:00Z")!
    private static let at = SourceLocation(file: "T/F.swift", line: 1, column: 1, function: "f()")
    private let folder = TemporaryFolder()
    let journal: Journal

    init(_ state: String, _ patches: [String], action: EncodedAction? = nil) throws {
        var lines = OriginRun.begin(state)
        for (index, patch) in patches.enumerated() {
            lines.beginCommit(
                seq: CommitNumber(index + 1), store: "s", version: index + 1, time: Self.time, at: Self.at,
                action: action)
            Array(patch.utf8).withBytes { lines.raw($0) }
            lines.endRecord()
        }
        journal = try Journal.open(folder.write(lines.bytes, to: "run.jsonl"), access: .random)
    }

    static func begin(_ state: String) -> LineBuilder {
        var lines = LineBuilder()
        lines.journal(JournalHeader(id: "t", time: time, recorder: "test"))
        Array(state.utf8).withBytes {
            lines.store(seq: .zero, store: "s", type: "S", time: time, at: at, state: $0)
        }
        return lines
    }

    /// The hops of a value at the end of the run, each in a line.
    func ways(_ path: String) throws -> [String] {
        let origin = try #require(try Origin(of: JSONPointer(parsing: path), at: journal.lastCommit, in: journal))
        return origin.hops.map { "\($0.how.rawValue) \($0.basis.rawValue) \($0.record.seq.rawValue) \($0.path.text)" }
    }
}
