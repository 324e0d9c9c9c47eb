import Foundation
import JSONCore
import TestSupport
import Testing

/// A file as somebody wrote it, keystroke by keystroke: josephg/editing-traces, "sveltecomponent".
struct EditingTrace {
    static let file = "data/editing-trace-sveltecomponent.json.gz"
    static let isThere = SharedFolder.has(file) && ProgramRun.isThere("gzip", "--version")

    struct Edit {
        let position: Int
        let deleted: Int
        let inserted: String
    }

    let endContent: String
    let transactions: [[Edit]]

    /// Unpacks and reads it.
    static func read(in folder: TemporaryFolder) async throws -> EditingTrace {
        let path = SharedFolder.root.appendingPathComponent(file).path
        let run = try await ProgramRun.of("gzip", ["-dc", path], in: folder)
        let trace = try #require(try JSONParser.parse([UInt8](run.output)).objectValue)
        guard case .array(let transactions) = trace["txns"] else { throw CocoaError(.fileReadCorruptFile) }
        return EditingTrace(
            endContent: try #require(trace["endContent"]?.text), transactions: try transactions.map(edits))
    }

    private static func edits(_ transaction: JSONValue) throws -> [Edit] {
        guard case .array(let patches) = transaction.objectValue?["patches"] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return try patches.map { patch in
            guard case .array(let parts) = patch, parts.count == 3 else { throw CocoaError(.fileReadCorruptFile) }
            return Edit(
                position: try #require(parts[0].integer), deleted: try #require(parts[1].integer),
                inserted: try #require(parts[2].text))
        }
    }
}
