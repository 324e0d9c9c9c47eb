import Foundation
import Testing

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
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, answer) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
        try input.write(to: source, atomically: false, encoding: .utf8)
        _ = FileManager.default.createFile(atPath: answer.path, contents: nil)
        var arguments = arguments
        if let program {
            let file = folder.appendingPathComponent("program.jq")
            try program.write(to: file, atomically: false, encoding: .utf8)
            arguments.append(file.path)
        }
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
