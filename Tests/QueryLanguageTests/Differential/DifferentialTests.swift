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

/// Makes random programs whose parts fit together, so that most of them get somewhere.
struct TypedQuery {
    private struct Form {
        var text: String
        var version: Int
        var isLeaf: Bool
    }

    private var random: RandomJSON
    private let version: Int

    /// - Parameter version: the minor version of the jq that must know every form.
    init(seed: UInt64, version: Int) {
        random = RandomJSON(seed: seed)
        self.version = version
    }

    private static let forms: [Character: [Form]] = {
        var table: [Character: [Form]] = [:]
        for line in QueryForms.text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let kind = parts[0].first, let version = Int(parts[1]) else { continue }
            for text in String(parts[2]).components(separatedBy: " ¦ ") {
                table[kind, default: []].append(Form(text: text, version: version, isLeaf: !text.contains("§")))
            }
        }
        return table
    }()

    /// A program that is at most so deep.
    mutating func program(depth: Int) -> String {
        let kinds: [Character] =
            version >= 8 ? ["n", "b", "s", "a", "o", "v", "z", "z", "z"] : ["n", "b", "s", "a", "o", "v"]
        return part(kinds[random.below(kinds.count)], depth: depth)
    }

    private mutating func part(_ kind: Character, depth: Int) -> String {
        let known = (Self.forms[kind] ?? []).filter { $0.version <= version }
        let leaves = known.filter(\.isLeaf)
        let choices = depth <= 0 && !leaves.isEmpty ? leaves : known
        guard !choices.isEmpty else { return "null" }
        var result = ""
        var isPlaceholder = false
        for character in choices[random.below(choices.count)].text {
            if isPlaceholder {
                result += part(character, depth: depth - 1)
                isPlaceholder = false
            } else if character == "§" {
                isPlaceholder = true
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// A state of the shape that the forms expect.
    mutating func state() -> JSONValue {
        let names = ["beta", "alpha", "gamma delta", "é \"q\"", "foo-bar 42", "", "Alpha, b", "a😀b"]
        func number(_ random: inout RandomJSON) -> JSONValue {
            let literals = ["1", "2", "3", "-1", "2.5", "10", "0.1", "1000", "0", "7"]
            return .number(JSONNumber(literal: literals[random.below(literals.count)]))
        }
        func name(_ random: inout RandomJSON) -> JSONValue { .string(names[random.below(names.count)]) }
        let items = (0..<random.below(4) + 1).map { _ -> JSONValue in
            var item: JSONObject = ["id": .number(JSONNumber(random.below(4)))]
            item["name"] = name(&random)
            item["tags"] = .array((0..<random.below(3)).map { _ in .string(["x", "y", "z"][random.below(3)]) })
            item["price"] = number(&random)
            if random.chance(40) { item["none"] = random.scalar() }
            return .object(item)
        }
        return [
            "items": .array(items), "total": number(&random),
            "user": ["name": name(&random), "admin": .bool(random.chance(50)), "none": .null],
            "grid": [[1, 2], .array([number(&random)]), []],
            "when": .number(JSONNumber(random.below(2_000_000_000))), "date": "2015-03-05T23:51:47Z",
            "text": name(&random), "nums": .array((0..<random.below(5)).map { _ in number(&random) }),
            "words": .array((0..<random.below(5)).map { _ in name(&random) }),
            "deep": ["a": [["b": ["c": [1, [2]]]]]],
        ]
    }
}

/// Texts that are JSON, nearly JSON, or nothing like it.
struct MalformedText {
    /// No exponents: jq writes those anew.
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"b c\"", "1", "-2.5", "true", "false", "null", "nan", "NaN", "x", "'",
        "'a'",
        "tru", "nul", "\"", "\\", "\n", " ", "\t", "-", ".5", "01", "é", "\"é", "\\u00e9", "\"\\u12", "\"\\x\"",
        "Infinity",
        "\"a\\n\"", "t", "f", "n", "+1", "0x10", "\"a", "{\"a\":1}", "[1,2]", "{\"a\":", "[1,", "\"\\ud83d\"",
        "\"\\ud83d\\ude00\"", "\"\\udc00\"", "-inf", "snan",
    ]
    private static let wholes = [
        #"{"a":[1,{"b":"x y"}],"c":null}"#, #"[1, "two", [true]]"#, "{\n  \"k\": \"v\",\n  \"n\": -1.5\n}",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The next text: a row of tokens, or a whole one with a few tokens added or taken away.
    mutating func next() -> String {
        if Int.random(in: 0..<10, using: &random) < 7 {
            let tokens = (0..<Int.random(in: 1...7, using: &random)).map { _ in token() }
            return tokens.joined(separator: Bool.random(using: &random) ? "" : " ")
        }
        var text = Array(Self.wholes.randomElement(using: &random) ?? "")
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: text.remove(at: place)
            case 2, 3: text.insert(contentsOf: token(), at: place)
            default: text.removeSubrange((place + 1)...)
            }
        }
        return String(text)
    }

    private mutating func token() -> String { Self.tokens.randomElement(using: &random) ?? "" }
}

/// A `jq` on this machine.
struct JQBinary: Sendable, CustomTestStringConvertible {
    let path: String
    /// 6 for 1.6, 8 for 1.8.
    let version: Int
    /// As it names itself.
    let name: String

    var testDescription: String { name }

    /// Those that `STATE_INSPECT_JQ` names (paths, separated by colons), else the one on PATH.
    static let all: [JQBinary] = {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["STATE_INSPECT_JQ"] {
            return named.split(separator: ":").compactMap { JQBinary(path: String($0)) }
        }
        let folders = environment["PATH"]?.split(separator: ":") ?? []
        let found = folders.map { "\($0)/jq" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        return found.flatMap { JQBinary(path: $0) }.map { [$0] } ?? []
    }()

    private init?(path: String) {
        self.path = path
        guard let answer = try? Self.run(path, ["--version"], input: ""), answer.status == 0 else { return nil }
        name = answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = name.drop { !$0.isNumber }.split { !$0.isNumber }
        guard parts.count > 1, parts[0] == "1", let minor = Int(parts[1]), minor >= 6 else { return nil }
        version = minor
    }

    /// The outputs of a program, a line each, or nil where jq refuses the program or takes longer than some seconds.
    func outputs(of program: String, _ input: String) throws -> [String]? {
        let answer = try Self.run(path, ["-c", "-f"], program: program, input: input)
        guard answer.status == 0 else { return nil }
        return answer.output.split(separator: "\n").map(String.init)
    }

    private static func run(
        _ path: String, _ arguments: [String], program: String? = nil, input: String
    ) throws -> (status: Int32, output: String) {
        // Files, not pipes: a full pipe would wait for ever.
        let folder = TemporaryFolder()
        let source = URL(fileURLWithPath: folder.write(input, to: "in"))
        let answer = URL(fileURLWithPath: folder.write([], to: "out"))
        let arguments = arguments + (program.map { [folder.write($0, to: "program.jq")] } ?? [])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "-s", "KILL", "20", path] + arguments
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: answer)
        process.standardError = FileHandle.nullDevice
        process.environment = ["TZ": "UTC", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: answer), as: UTF8.self))
    }
}
