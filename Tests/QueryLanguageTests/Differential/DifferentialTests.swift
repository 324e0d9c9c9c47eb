import Diagnostics
import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

@testable import QueryLanguage

/// Random programs, given to the `jq` on this machine and to this library.
///
/// `STATE_INSPECT_SEEDS=all` takes more programs, `STATE_INSPECT_JQ` says which binaries; with `STATE_INSPECT_EXPLAINED` the
/// explained differences are printed too.
@Suite(.enabled(if: !JQBinary.all.isEmpty, "jq is on PATH"))
struct DifferentialTests {
    /// The seed of each batch of programs.
    private static let batches: [UInt64] = seeds(1..<41)
    /// Whether explained differences are printed too.
    private static let tells = ProcessInfo.processInfo.environment["STATE_INSPECT_EXPLAINED"] != nil
    private static let batchSize = 100

    /// What came of the programs.
    private struct Tally {
        var programs = 0
        var comparisons = 0
        var refused = 0
        var explained: [String: Int] = [:]
        var differences: [String] = []
    }

    @Test("random programs give what jq gives, errors and their messages included", arguments: JQBinary.all)
    func randomPrograms(_ jq: JQBinary) throws {
        var tally = Tally()
        for seed in Self.batches {
            var maker = TypedQuery(seed: seed &* 1_000_003, version: jq.version)
            let states = [maker.state(), maker.state()]
            let programs = (0..<Self.batchSize).map { _ in
                "[try (\(maker.program(depth: 3))) catch {failed: .}]"
            }
            try compare(programs[...], states, with: jq, &tally)
        }
        print(
            "\(jq.name): \(tally.programs) programs, \(tally.comparisons) evaluations compared,"
                + " \(tally.differences.count) differ, \(tally.refused) refused by it")
        for (reason, count) in tally.explained.sorted(by: { $0.key < $1.key }) {
            print("  \(count) explained: \(reason)")
        }
        for difference in tally.differences { print(difference) }
        #expect(tally.differences.count == 0, "\(tally.differences.first ?? "")")
    }

    @Test(
        "texts that are no JSON are refused in jq's words, at jq's place",
        .enabled(if: JQBinary.all.contains { $0.version > 7 }, "jq 1.8 is at hand"),
        arguments: JQBinary.all.filter { $0.version > 7 })
    func malformedTexts(_ jq: JQBinary) throws {
        var maker = MalformedText(seed: 1)
        let program = "try (fromjson | [.]) catch ."
        let query = try Query(program)
        let texts = (0..<4_000).map { _ in maker.next() }
        let lines = try #require(
            try jq.outputs(of: program, texts.map { ValueText.json(.string($0)) }.joined(separator: "\n")))
        #expect(lines.count == texts.count)
        for (text, line) in zip(texts, lines) {
            let ours = ValueText.json(try query.first(of: .string(text)) ?? .null)
            #expect(ours == line, "\(ValueText.json(.string(text)))")
        }
    }

    /// Runs the programs as one, and as two halves where jq does not take them together.
    private func compare(
        _ programs: ArraySlice<String>, _ states: [JSONValue], with jq: JQBinary, _ tally: inout Tally
    ) throws {
        guard !programs.isEmpty else { return }
        let whole = "[" + programs.joined(separator: ",\n") + "]"
        let input = states.map(ValueText.json).joined(separator: "\n")
        guard let lines = try jq.outputs(of: whole, input), lines.count == states.count else {
            if programs.count == 1, let program = programs.first {
                tally.refused += 1
                return noteRefusal(of: program, by: jq, &tally)
            }
            let middle = programs.startIndex + programs.count / 2
            try compare(programs[..<middle], states, with: jq, &tally)
            return try compare(programs[middle...], states, with: jq, &tally)
        }
        for (line, state) in zip(lines, states) {
            guard case .array(let theirs)? = try? JSONTextReader.read(line), theirs.count == programs.count else {
                tally.differences.append("cannot be read: \(line.prefix(200))")
                continue
            }
            for (program, expected) in zip(programs, theirs) { compare(program, state, expected, with: jq, &tally) }
        }
        tally.programs += programs.count
    }

    /// What jq does not even compile, or crashes at, must not be taken for right.
    private func noteRefusal(of program: String, by jq: JQBinary, _ tally: inout Tally) {
        // Since 1.7 the values in an object construction are any terms.
        guard jq.version > 6, (try? Query(program)) != nil else { return }
        tally.differences.append("\(jq.name) refuses: \(program)")
    }

    private func compare(
        _ program: String, _ state: JSONValue, _ expected: JSONValue, with jq: JQBinary, _ tally: inout Tally
    ) {
        tally.comparisons += 1
        let ours = SystemThread.run(stackSize: 64 << 20) { () -> String in
            do {
                return ValueText.json(try Query(program).first(of: state) ?? .null)
            } catch let error as QuerySyntaxErrors {
                return "does not compile: " + error.diagnostics.map(\.message).joined(separator: "; ")
            } catch let error as QueryError {
                return "fails: " + error.message
            } catch {
                return "fails: \(error)"
            }
        }
        let theirs = ValueText.json(expected)
        guard KnownDifferences.text(ours, jq) != KnownDifferences.text(theirs, jq) else { return }
        let difference = KnownDifferences.Difference(
            program: program, input: ValueText.json(state), ours: ours, theirs: theirs)
        if let reason = KnownDifferences.reason(difference, jq) {
            tally.explained[reason, default: 0] += 1
            if Self.tells { print("\(jq.name), \(reason):\n  \(program)\n    ours   \(ours)\n    theirs \(theirs)") }
            return
        }
        tally.differences.append("\(program)\n    ours   \(ours.prefix(600))\n    theirs \(theirs.prefix(600))")
    }
}
