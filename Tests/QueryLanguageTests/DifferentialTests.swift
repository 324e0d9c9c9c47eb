import Foundation
import JSONCore
import TestSupport
import Testing

@testable import QueryLanguage

/// Random programs, given to the `jq` on this machine and to this library.
@Suite(.enabled(if: JQBinary.path != nil, "jq is on PATH"))
struct DifferentialTests {
    static let input: JSONValue = [
        "items": [
            ["id": 1, "name": "beta", "tags": ["x", "y"], "price": 2.5],
            ["id": 3, "name": "alpha", "tags": [], "price": 10],
            ["id": 2, "name": "gamma delta", "tags": ["y"], "price": 0.1],
        ],
        "total": 7, "user": ["name": "é \"q\"", "admin": false, "none": .null],
    ]

    @Test("random programs give what jq gives", arguments: 0..<4)
    func randomPrograms(_ seed: Int) throws {
        var programs = RandomTypedQuery(seed: UInt64(seed))
        var all: [String] = []
        for _ in 0..<100 { all.append("[try (\(programs.any(depth: 3))) catch \"fails\"]") }
        // One start of jq for all of them: each program's outputs become one array.
        let whole = "[" + all.joined(separator: ",\n") + "]"
        let input = ValueText.json(Self.input)
        let theirs = try #require(try JQBinary.outputs(of: whole, input)?.first)
        guard case .array(let expected) = try JSONTextReader.read(theirs) else { return }
        for (program, outputs) in zip(all, expected) {
            let ours = try #require(try Query(program).first(of: Self.input))
            // Numbers are compared as doubles: this jq is older and keeps no texts.
            let (a, b) = (Self.doubles(ValueText.json(ours)), Self.doubles(ValueText.json(outputs)))
            #expect(a == b, "seed \(seed): \(program)")
        }
    }

    private static func doubles(_ text: String) -> String {
        guard let value = try? JSONTextReader.read(text) else { return text }
        return ValueText.json(rounded(value).ascending())
    }

    private static func rounded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): Arithmetic.number(number.doubleValue + 0)
        case .array(let elements): .array(elements.map(rounded))
        case .object(let members): .object(JSONObject(members.map { (key: $0.key, value: rounded($0.value)) }))
        default: value
        }
    }
}

/// The `jq` on PATH.
enum JQBinary {
    static let path: String? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/jq" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The outputs of a program, or nil where jq fails or its answer is not in the language of today.
    static func outputs(of program: String, _ input: String) throws -> [String]? {
        guard let path else { return nil }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, answer) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
        try input.write(to: source, atomically: true, encoding: .utf8)
        _ = FileManager.default.createFile(atPath: answer.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["timeout", "5", path, "-cS", program]
        process.standardInput = try FileHandle(forReadingFrom: source)
        process.standardOutput = try FileHandle(forWritingTo: answer)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: try Data(contentsOf: answer), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// Makes random programs that do not fail, of what jq has had the same since 1.6.
struct RandomTypedQuery {
    private var random: RandomJSON

    init(seed: UInt64) { random = RandomJSON(seed: seed) }

    private static let numbers = [
        ".total", "1", "2.5", "(.items | length)", "(N + N)", "(N - N)", "(N * N)", "(N % 7)", "(N / 4)", "(-N)",
        "([.items[].id] | add)", "(.items | map(select(.id > 1)) | length)", "(if B then N else N end)",
        "(N as $v | $v + 1)", "(reduce .items[] as $i (N; . + $i.id))", "(def f(x): x + 1; f(N))", "(N | floor)",
        "([N, N] | max)", "(A | length)", "(S | length)", "([limit(2; .items[].price)] | add)",
        "(N | tostring | tonumber)",
        "first(.items[].id)", "(N | sqrt | floor)", "(N, N)", "([foreach .items[] as $i (0; . + $i.id)] | last)",
    ]

    private static let truths = [
        "true", "false", ".user.admin", "(N < N)", "(N == N)", "(B and B)", "(B or B)", "(B | not)", "(S > S)",
        "any(.items[]; .id == 2)", "all(.items[]; .price > 1)", "(A == A)", "(S | test(\"a\"))",
        "(.user | has(\"name\"))",
        "(A | contains([1]))", "([1, 2] | inside([1, 2, 3]))", "(N | . >= 2)", "(S | startswith(\"b\"))",
    ]

    private static let strings = [
        "\"x\"", ".user.name", ".items[0].name", "(S + S)", "\"a\\(N)b\\(S)\"", "(N | tostring)", "(A | tojson)",
        "(S | ascii_upcase)", "([S, S] | join(\"-\"))", "(S | @base64)", "(S | @uri)", "(A | @json)", "(N | type)",
        "(S | gsub(\"a\"; \"<a>\"))", "(S | .[1:3])", "(if B then S else S end)", "(S | ltrimstr(\"b\"))",
        "(null // S)", "(try error(S) catch .)", "(S | explode | implode)", "([S, S] | sort | .[0])",
        "(S | sub(\"(?<l>.)$\"; .l + .l))",
    ]

    private static let arrays = [
        "[.items[] | .name, .id]", "(.items | sort_by(.name))", "(.items | group_by(.price > 1))", "[range(4)]",
        "([.items[].tags[]] | unique)", "[limit(2; .items[])]", "(.items | map(.tags |= map(ascii_upcase)))",
        "[N, S, B]",
        "(.user | to_entries)", "[paths]", "[paths(type == \"number\")]", "(A + A)", "([1, 2, 3, 4] - [N])",
        "(S | split(\"a\"))", "[.. | numbers]", "(A | map([.]))", "[tostream]", "[.items[] | {id, n: .name}]",
        "(.items | map(.price) | sort)", "(A | [.[] | type])", "[S | match(\"[a-m]+\"; \"g\") | .offset]",
        "([A, A] | transpose)",
        "(.items[0] |= (.id = N))", "(.total += 1)", "del(.items[1].tags, .user.none)", "(.items | map(del(.name)))",
        "(.items |= map(select(.id != 2)))", "([A] | flatten)", "({a: N, b: (S, B)} | [.])", "(A | reverse)",
        "[.items[] as {id: $i, tags: [$t]} | [$i, $t]]", "(.items | min_by(.price), max_by(.id))",
        "[recurse(if . < 3 then . + 1 else empty end; true)]",
        "[label $f | .items[] | if .id == 3 then break $f else .id end]",
        "(.items | map(with_entries(.value |= tostring)))",
        "[getpath([\"items\", 0, \"id\"])]", "[.items | .[1:] | .[].id]", "[while(length < 0; .)]", "[until(true; .)]",
        "[splits(\"a\")?]",
    ].filter { !$0.hasPrefix("[recurse(if") && !$0.hasPrefix("[splits") && !$0.hasPrefix("[while") }

    /// A program of any kind of result.
    mutating func any(depth: Int) -> String {
        [number(depth), truth(depth), string(depth), array(depth)][random.below(4)]
    }

    private mutating func number(_ depth: Int) -> String { fill(Self.numbers, depth, leaves: 3) }
    private mutating func truth(_ depth: Int) -> String { fill(Self.truths, depth, leaves: 3) }
    private mutating func string(_ depth: Int) -> String { fill(Self.strings, depth, leaves: 3) }
    private mutating func array(_ depth: Int) -> String { fill(Self.arrays, depth, leaves: 6) }

    private mutating func fill(_ forms: [String], _ depth: Int, leaves: Int) -> String {
        let form = forms[random.below(depth == 0 ? leaves : forms.count)]
        if form.contains("$__") { return form }
        var result = ""
        for character in form {
            switch character {
            case "N": result += number(max(0, depth - 1))
            case "B": result += truth(max(0, depth - 1))
            case "S": result += string(max(0, depth - 1))
            case "A": result += array(max(0, depth - 1))
            default: result.append(character)
            }
        }
        return result
    }
}
