import JSONCore
import JournalFormat
import JournalReading
import TestSupport
import Testing
import TimeTravel

@Suite("Where a value comes from")
struct OriginTests {
    @Test("every value of a random run has the way that its making took", arguments: 0..<60)
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

    @Test("a way that is cut at a number of hops is the beginning of the whole one", arguments: 0..<10)
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
        let origin = try #require(
            try Origin(of: JSONPointer(["s", "d"]), at: CommitNumber(1), in: run.journal))
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
        Array(#"{"a":70}"#.utf8).withUnsafeBytes { lines.state(of: "s", $0) }
        lines.endGap()
        let journal = try Journal.open(folder.write(lines.bytes, to: "run.jsonl"), access: .random)
        let origin = try #require(try Origin(of: JSONPointer(["s", "a"]), at: CommitNumber(3), in: journal))
        #expect(origin.hops.map(\.how) == [.written])
        #expect(origin.end == .lost)
    }
}

/// A journal of one store `s` whose patches are written by hand.
struct OriginRun {
    static let time = Timestamp("2026-01-01T00:00:00Z")!
    private static let at = SourceLocation(file: "T/F.swift", line: 1, column: 1, function: "f()")
    private let folder = TemporaryFolder()
    let journal: Journal

    init(_ state: String, _ patches: [String]) throws {
        var lines = OriginRun.begin(state)
        for (index, patch) in patches.enumerated() {
            Array(patch.utf8).withUnsafeBytes {
                lines.commit(
                    seq: CommitNumber(index + 1), store: "s", version: index + 1, time: Self.time, at: Self.at,
                    patch: $0)
            }
        }
        journal = try Journal.open(folder.write(lines.bytes, to: "run.jsonl"), access: .random)
    }

    static func begin(_ state: String) -> LineBuilder {
        var lines = LineBuilder()
        lines.journal(JournalHeader(id: "t", time: time, recorder: "test"))
        Array(state.utf8).withUnsafeBytes {
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
