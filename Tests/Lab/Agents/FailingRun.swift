import Foundation
import JSONCore
import JournalFormat
import JournalReading
import TestSupport

/// A run that went wrong, the runs beside it, and the line that is to blame.
struct FailingRun {
    /// The fault's number.
    let number: Int
    /// What is wrong, as `StateBugs` calls it.
    let kind: String
    let question: Question
    /// The names of the journals that show it, and of those that do not, in one folder.
    let bad: [String]
    let good: [String]
    /// The lines with which the guilty function commits, as `Shop.swift:343`: the fault lies in what one of them writes.
    let key: Set<String>
    let function: String

    /// A row of `StateBugs --list`; nil where it is no row.
    private init?(row: Substring, in folder: TemporaryFolder) throws {
        let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard columns.count >= 8, let number = Int(columns[0]) else { return nil }
        guard let question = Question.about(columns[5]) else { throw Failure("nothing asks about '\(columns[5])'") }
        self.number = number
        self.question = question
        (function, kind) = (columns[2], columns[3])
        (bad, good) = (
            columns[6].split(separator: " ").map(String.init), columns[7].split(separator: " ").map(String.init)
        )
        let file = columns[1].split(separator: ":")[0]
        var lines: Set<String> = []
        for name in bad {
            var reader = try Journal.open(folder.path(name), access: .sequential).records()
            while let line = try reader.next() {
                guard line.kind == .commit else { continue }
                let at = try line.decode { (object) throws(RecordFault) in try CommitRecord(object) }.at
                guard at.file == file, at.function == function else { continue }
                lines.insert("\(file.split(separator: "/").last ?? file):\(at.line)")
            }
        }
        key = lines
    }

    /// Plays faults, and leaves their journals in a folder.
    static func played(_ numbers: [Int], by program: String, in folder: TemporaryFolder) throws -> [FailingRun] {
        let list = numbers.map(String.init).joined(separator: ",")
        let output = try Program(program, in: folder).answer(["--list", "--keep", folder.path, "--only", list])
        let runs = try output.split(separator: "\n").compactMap { try FailingRun(row: $0, in: folder) }
        guard runs.map(\.number) == numbers else { throw Failure("played \(runs.map(\.number)), not \(numbers)") }
        return runs
    }

    /// What makes the evaluation impossible.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}

/// A program that answers calls, in a folder.
struct Program {
    let path: String
    let folder: TemporaryFolder

    init(_ path: String, in folder: TemporaryFolder) { (self.path, self.folder) = (path, folder) }

    /// What a call prints on both outputs.
    func answer(_ arguments: [String]) throws -> String {
        // A full pipe would stop the program.
        let outputs = ["output", "errors"].map { URL(fileURLWithPath: folder.write([], to: $0)) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging([
            "STATE_INSPECT_FORMAT": "human", "STATE_INSPECT_LIMIT": "6000", "NO_COLOR": "1", "COLUMNS": "",
        ]) { $1 }
        let files = try outputs.map { try FileHandle(forWritingTo: $0) }
        (process.standardOutput, process.standardError) = (files[0], files[1])
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        for file in files { try file.close() }
        return try outputs.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined()
    }
}
