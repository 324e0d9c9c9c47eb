import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Records, written and read")
struct RecordRoundTripTests {
    let at = SourceLocation(file: "Shop/Cart.swift", line: 42, column: 9, function: "add(_:)")

    /// Parses the one line of a builder, and checks its sum.
    func object(_ lines: LineBuilder) throws -> JSONObject {
        #expect(lines.bytes.last == 0x0A)
        let line = Array(lines.bytes.dropLast())
        #expect(line.withBytes { LineSum.check($0) } == .right)
        return try #require(try JSONParser.parse(line).object)
    }

    func text(_ random: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "\n", "\u{0}", "é", "\u{301}", "\u{1F600}", "/", "~", "\u{2028}", "}",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            text.unicodeScalars.append(scalars.randomElement(using: &random)!)
        }
        return text
    }

    func same(_ left: String, _ right: String) -> Bool { UTF8Order.equal(left, right) }

    @Test("every kind of record is known by the name that it is written with", arguments: RecordKind.allCases)
    func kindNames(_ kind: RecordKind) {
        let line = #"{"seq":1,"kind":"\#(kind.name)"}"#
        #expect(OwnedRecord(text: Array(line.utf8), path: "line").kind == kind)
        #expect(RecordKinds(kind).contains(kind) && RecordKinds.all.contains(kind))
    }

    @Test("every kind reads back as it was written, whatever the texts", arguments: seeds(1..<61))
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let seq = CommitNumber(Int.random(in: 0...CommitNumber.largest.rawValue, using: &random))
        let time = Timestamp(microseconds: Int.random(in: 0...4_000_000_000_000_000, using: &random))
        let place = SourceLocation(
            file: text(&random), line: Int.random(in: 0...9999, using: &random), column: 1, function: text(&random))
        let name = text(&random)
        let other = text(&random)
        let encoded = JSONValue.array([.string(name), 1, .null])
        let raw = Array(encoded.text().utf8)
        var lines = LineBuilder()

        let header = JournalHeader(
            id: name, time: time, app: other, build: nil, recorder: name,
            labels: [.init(name: "a", value: name), .init(name: "b", value: other)], after: seq)
        lines.journal(header)
        #expect(try JournalHeader(object(lines)) == header)

        lines.removeAll()
        raw.withBytes { lines.store(seq: seq, store: name, type: other, time: time, at: place, state: $0) }
        let store = try StoreRecord(object(lines))
        #expect(same(store.store, name) && same(store.type, other) && store.time == time && store.at == place)
        #expect(store.seq == seq && store.state == encoded)

        lines.removeAll()
        lines.close(seq: seq, store: name, time: time)
        #expect(same(try CloseRecord(object(lines)).store, name))

        lines.removeAll()
        lines.derived(seq: seq, name: name, inputs: ["/cart", ""], from: [other, name], at: place)
        let derived = try DerivedRecord(object(lines))
        #expect(
            same(derived.name, name) && derived.inputs?.map(\.text) == ["/cart", ""] && derived.from == [other, name])

        lines.removeAll()
        let patch = JSONPatch([.replace(try JSONPointer(parsing: "/a"), encoded, old: .string(other))])
        Array(patch.json.text().utf8).withBytes {
            lines.commit(
                seq: seq, store: name, version: 3, time: time, at: place, name: other,
                action: EncodedAction(type: name, payload: raw), cause: .zero, thread: other, patch: $0)
        }
        let commit = try CommitRecord(object(lines))
        #expect(commit.seq == seq && same(commit.store, name) && commit.version == 3 && commit.time == time)
        #expect(commit.at == place && same(commit.name ?? "?", other) && commit.cause == .zero)
        #expect(commit.action?.payload == encoded && same(commit.thread ?? "?", other) && commit.patch == patch)

        lines.removeAll()
        lines.outcome(
            seq: seq, commit: .zero,
            derived: [
                EncodedOutcome(name: name, outcome: .fired, value: raw), EncodedOutcome(name: other, outcome: .same),
            ])
        let outcome = try OutcomeRecord(object(lines))
        #expect(outcome.derived.map(\.outcome) == [.fired, .same] && outcome.derived[0].value == encoded)

        lines.removeAll()
        lines.abort(seq: seq, store: name, time: time, at: place, name: nil, error: other)
        let abort = try AbortRecord(object(lines))
        #expect(same(abort.error, other) && abort.name == nil)

        lines.removeAll()
        lines.mark(seq: seq, time: time, at: nil, text: name, level: .warning)
        let mark = try MarkRecord(object(lines))
        #expect(same(mark.text, name) && mark.level == .warning && mark.at == nil)
    }

    @Test("keyframes, gaps and ends read back with their totals")
    func states() throws {
        let totals = Totals(
            commits: [.init(store: "cart", count: 41)], open: ["cart", "é"], derived: ["badge"], marks: 3, gaps: 1,
            aborts: 2)
        let time = Timestamp(microseconds: 5)
        var lines = LineBuilder()
        lines.beginKeyframe(seq: CommitNumber(7))
        for name in ["cart", "é"] { Array("{}".utf8).withBytes { lines.state(of: name, $0) } }
        lines.endKeyframe(totals: totals)
        let keyframe = try KeyframeRecord(object(lines))
        #expect(keyframe.totals == totals)
        #expect(keyframe.states.keys == ["cart", "é"])

        lines.removeAll()
        lines.beginGap(first: CommitNumber(8), lost: 3, time: time, reason: "disk full")
        Array("{}".utf8).withBytes { lines.state(of: "cart", $0) }
        lines.endGap()
        let gap = try GapRecord(object(lines))
        #expect(
            gap.seq == CommitNumber(10) && gap.first == CommitNumber(8) && gap.lost == 3 && gap.reason == "disk full")

        lines.removeAll()
        lines.end(seq: CommitNumber(10), time: time, totals: totals)
        #expect(try EndRecord(object(lines)).totals == totals)
    }

    @Test("unknown members are ignored, a missing or wrong one is named")
    func faults() throws {
        let whole = #"{"seq":1,"kind":"mark","time":"2026-01-01T00:00:00Z","text":"x","level":"loud","new":[1]}"#
        #expect(try MarkRecord(#require(JSONParser.parse(whole).object)).level == nil)
        let missing = #"{"seq":1,"kind":"close","time":"2026-01-01T00:00:00Z"}"#
        #expect(throws: RecordFault(member: "store", expected: "a string", isMissing: true)) {
            try CloseRecord(#require(JSONParser.parse(missing).object))
        }
        let wrong =
            #"{"seq":1,"kind":"abort","store":"s","time":"2026-01-01T00:00:00Z","error":"e","at":{"file":"f","line":"1"}}"#
        #expect(throws: RecordFault(member: "at/line", expected: "an integer")) {
            try AbortRecord(#require(JSONParser.parse(wrong).object))
        }
        let huge = #"{"seq":99999999999999999999,"kind":"close","store":"s","time":"2026-01-01T00:00:00Z"}"#
        #expect(throws: RecordFault(member: "seq", expected: "a number of commits")) {
            try CloseRecord(#require(JSONParser.parse(huge).object))
        }
    }
}
