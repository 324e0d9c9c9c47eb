import Foundation
import JSONCore
import TestSupport
import Testing

@testable import QueryLanguage

/// Random programs, given to the `jq` on this machine and to this library.
@Suite(.enabled(if: JQBinary.path != nil, "jq is on PATH"))
struct DifferentialTests {
    @Test("random programs give what jq gives", arguments: 0..<4)
    func randomPrograms(_ seed: Int) throws {
        var programs = RandomQuery(seed: UInt64(seed))
        var values = RandomJSON(seed: UInt64(seed) &+ 77)
        for _ in 0..<40 {
            let program = programs.filter(depth: 3)
            guard !program.contains("$old"), !program.contains("$seq"), !program.contains("error") else { continue }
            let input = JSONValue.object(values.object(depth: 3)).ascending()
            guard let theirs = try JQBinary.outputs(of: program, ValueText.json(input)) else { continue }
            let context = QueryContext(limits: QueryLimits(steps: 100_000, size: 10_000))
            guard let ours = try? Query(program).all(of: input, context: context) else { continue }
            let texts = ours.map { ValueText.json($0.ascending()) }
            // Numbers are compared as doubles: this jq is older and keeps no texts.
            let same =
                texts == theirs
                || (ours.count == theirs.count
                    && zip(texts, theirs).allSatisfy { Self.doubles($0) == Self.doubles($1) })
            #expect(same, "seed \(seed): \(program) on \(ValueText.json(input)): \(texts) instead of \(theirs)")
        }
    }

    private static func doubles(_ text: String) -> String {
        guard let value = try? JSONTextReader.read(text) else { return text }
        return ValueText.json(rounded(value))
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
