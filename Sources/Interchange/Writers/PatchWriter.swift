public import JSONCore
import JournalFormat

/// Writes patches of RFC 6902, one array a line: applied one after another, to any document, they give each state.
///
/// The first line puts the state at the beginning in the place of the whole document. What a journal adds to an operation is
/// left out. Where commits were left out, or stores opened or ended in between, a line has all that differs.
public struct PatchWriter: ExportWriter {
    private var last: JSONValue
    private let isWhole: Bool
    private var buffer = ExportBuffer()

    /// Begins with a state.
    ///
    /// - Parameter isWhole: whether states have a member for each store.
    public init(from state: JSONValue, isWhole: Bool) {
        last = state
        self.isWhole = isWhole
        write(JSONPatch([.add(JSONPointer(), state)]))
    }

    /// Adds a commit.
    ///
    /// - Complexity: that of the patch, and of comparing what it leads to with the state.
    public mutating func add(_ commit: ExportedCommit) {
        write(recorded(commit) ?? JSONPatch.difference(from: last, to: commit.state))
        last = commit.state
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    /// The commit's own patch, if it leads from the last state to this one.
    private func recorded(_ commit: ExportedCommit) -> JSONPatch? {
        guard let json = commit.record["patch"], var patch = try? JSONPatch(json: json) else { return nil }
        if isWhole { patch.operations = patch.operations.map { $0.below([commit.store]) } }
        var state = last
        guard (try? patch.apply(to: &state, order: .ascending)) != nil, state == commit.state else { return nil }
        return patch
    }

    private mutating func write(_ patch: JSONPatch) {
        let plain = patch.operations.map { operation -> JSONValue in
            var members = operation.json
            _ = members.removeValue(forKey: "old")
            return .object(members)
        }
        buffer.value(.array(plain))
        buffer.text("\n")
    }
}
