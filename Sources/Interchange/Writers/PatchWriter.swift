public import JSONCore
import JournalFormat

/// Writes patches of RFC 6902, one array a line: applied one after another, to any document, they give each state.
///
/// The first line puts the state at the beginning in the place of the whole document. What a journal adds to an operation is
/// left out. Where commits were left out, or stores opened or ended in between, a line has all that differs.
public struct PatchWriter: ExportWriter {
    /// The state that the last line leads to; nil where the caller knows it.
    private var last: JSONValue?
    private let isWhole: Bool
    private let holdsStates: Bool
    private var buffer = JSONWriter()

    /// Begins with a state.
    ///
    /// - Parameters:
    ///   - isWhole: whether states have a member for each store.
    ///   - holdsStates: whether the writer holds the state of the last commit; otherwise a commit that is not direct comes with the
    ///     state before it. While a state is held, who makes the next one of it copies what that changes.
    public init(from state: JSONValue, isWhole: Bool, holdsStates: Bool = true) {
        last = holdsStates ? state : nil
        self.isWhole = isWhole
        self.holdsStates = holdsStates
        write(JSONPatch([.add(JSONPointer(), state)]))
    }

    /// Adds a commit.
    ///
    /// - Precondition: the commit is direct or has the state before it, where the writer holds none.
    /// - Complexity: that of the patch; of a commit that is not direct, that of comparing what it leads to with the state.
    public mutating func add(_ commit: ExportedCommit) {
        let recorded = recorded(commit)
        if commit.isDirect, let recorded {
            write(recorded)
        } else {
            guard let before = commit.before ?? last else {
                preconditionFailure("PatchWriter.add: a commit that is not direct needs the state before it")
            }
            var state = before
            let leads = (try? recorded?.apply(to: &state, order: .ascending)) != nil && state == commit.state
            write(recorded.flatMap { leads ? $0 : nil } ?? JSONPatch.difference(from: before, to: commit.state))
        }
        if holdsStates { last = commit.state }
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private func recorded(_ commit: ExportedCommit) -> JSONPatch? {
        guard var patch = commit.patch else { return nil }
        if isWhole { patch.operations = patch.operations.map { $0.below([commit.store]) } }
        return patch
    }

    private mutating func write(_ patch: JSONPatch) {
        let plain = patch.operations.map { operation -> JSONValue in
            var members = operation.json
            _ = members.removeValue(forKey: "old")
            return .object(members)
        }
        buffer.write(.array(plain))
        buffer.text("\n")
    }
}
