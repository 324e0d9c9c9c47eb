import Foundation
import JSONCore
import TestSupport
import Testing

/// A real history that nobody made up for this: 18,335 edits of a text, josephg/editing-traces, "sveltecomponent".
struct EditingTrace {
    static let file = "data/editing-trace-sveltecomponent.json.gz"
    static let isThere = SharedFolder.has(file) && ProgramRun.isThere("gzip", "--version")

    let endContent: String

    /// Unpacks and reads it.
    static func read(in folder: TemporaryFolder) async throws -> EditingTrace {
        let path = SharedFolder.root.appendingPathComponent(file).path
        let run = try await ProgramRun.of("gzip", ["-dc", path], in: folder)
        let trace = try #require(try JSONParser.parse([UInt8](run.output)).objectValue)
        return EditingTrace(endContent: try #require(trace["endContent"]?.text))
    }
}
