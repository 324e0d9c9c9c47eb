public import JSONCore

/// Reads whole states, one a line, as loggers without differences write them: the first opens a store, each later one is a
/// commit of what differs.
public struct SnapshotReader: ImportReader {
    /// A reader of states.
    public init() {}

    /// The format.
    public var format: ImportFormat { .snapshots }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        run.set("state", to: text, ImportedRun.Origin(at: run.location(line: line)))
    }
}
