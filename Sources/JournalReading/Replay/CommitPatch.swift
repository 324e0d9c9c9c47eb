package import JSONCore
import JournalFormat

/// What is asked of the records that are applied to a state, and what they leave beside it.
package struct ApplyLog {
    /// An operation whose `old` is not what was there.
    package struct Contradiction {
        package let index: Int
        package let path: JSONPointer
        package let old: JSONValue
        /// What was there; nil for nothing.
        package let found: JSONValue?
    }

    /// How the members of values that a patch puts into the state stand.
    let order: MemberOrder
    /// Whether stores that are about to end stay, which they do at the position of a commit that was left out.
    let keepsEnding: Bool
    /// What the commits that were applied contradict; nil where that is damage.
    package var contradictions: [Contradiction]?
    /// Whether what leads back over each record is kept.
    let keepsUndo: Bool
    /// Whether what leads back over the record that is applied is a patch: to look into ``undo`` would copy it.
    var keepsPatch = false
    /// What leads back over the last record; nil where it does not change the state at all.
    package internal(set) var undo: PositionUndo?

    package init(
        order: MemberOrder = .ascending, keepsEnding: Bool = false, keepsUndo: Bool = false,
        contradictions: [Contradiction]? = nil
    ) {
        (self.order, self.keepsEnding, self.keepsUndo) = (order, keepsEnding, keepsUndo)
        self.contradictions = contradictions
    }
}

/// A commit's patch, as it lies in the line: only the operations that a pruned state needs are built, and no `old` is.
///
/// It stands for `JSONPatch(json:)`: both give the same state, or the same damage, whatever form the line is written in.
struct CommitPatch {
    let store: String
    let text: CommitText
    private let line: RecordLine
    private let order: MemberOrder

    /// - Parameter order: how the members of values that come into the state stand.
    /// - Throws: ``JournalError`` with the damage where the line is not JSON, or has no store or patch.
    @inline(__always)
    init(_ line: RecordLine, order: MemberOrder) throws(JournalError) {
        guard let text = CommitText(line) else { throw line.commitDamage }
        (self.line, self.text, self.order) = (line, text, order)
        store = text.store.string ?? ""
    }

    /// Applies the operations to the store's state, pruned to a node.
    ///
    /// - Parameter byText: whether operations that only replace a value are applied by the texts of their paths, which keeps no
    ///   way back.
    /// - Returns: whether something that the node reads was written.
    func apply(
        to state: inout PatchedValue, byText: Bool, pruning node: PathSet.Node, _ interest: inout Interest,
        _ pointers: inout RecentTexts<JSONPointer>, _ contradictions: inout [ApplyLog.Contradiction]?
    ) throws(JournalError) -> Bool {
        var touched = false
        let operations = text.operations
        for index in operations.indices where matters(operations[index], to: node, &interest) {
            let raw = operations[index]
            if byText, try replace(raw, index, in: &state, pruning: node) {
                touched = true
                continue
            }
            let operation = try operation(raw, index, &pointers)
            if let old = raw.old, raw.name == .replace || raw.name == .remove {
                try check(old, at: operation.path, index, in: &state, pruning: node, &contradictions)
            }
            do throws(PatchError.Reason) {
                if try operation.apply(to: &state, pruning: node, order: .ascending) { touched = true }
            } catch {
                throw failure(index, operation.path, error)
            }
        }
        return touched
    }

    /// Notes, or refuses, an `old` that is not what a state has, as far as a node reads it.
    private func check(
        _ token: JSONToken, at path: JSONPointer, _ index: Int, in state: inout PatchedValue,
        pruning node: PathSet.Node, _ contradictions: inout [ApplyLog.Contradiction]?
    ) throws(JournalError) {
        let part = state.part(at: path, pruning: node)
        if let (found, read) = part {
            if token.matches(found, pruning: read) || token.value().pruned(to: read) == found { return }
        }
        if contradictions != nil {
            contradictions?.append(
                ApplyLog.Contradiction(index: index, path: path, old: token.value(order: order), found: part?.0))
        } else if part != nil {
            throw line.damage(.old(commit: line.seq, store: store, path))
        }
        // Where nothing is there, the operation does not apply, which says more.
    }

    /// Replaces a value, as most operations do, by the text of its path.
    ///
    /// - Returns: false where the operation is to be built: it is another one, does not fit, or its `old` may not be what is
    ///   there.
    private func replace(
        _ raw: PatchOperation, _ index: Int, in state: inout PatchedValue, pruning node: PathSet.Node
    ) throws(JournalError) -> Bool {
        guard raw.name == .replace, let path = raw.path, path.isPlainPointer else { return false }
        let value = try value(raw.value, JSONPointer(), index)
        return state.replace(atPlainPointer: path.raw, with: value, expecting: raw.old, pruning: node)
    }

    @inline(__always)
    private func matters(_ raw: PatchOperation, to node: PathSet.Node, _ interest: inout Interest) -> Bool {
        if case .all = node { return true }
        // A `test` writes nothing, but a pruned state cannot answer it: let it be refused.
        if raw.name == .test {
            return raw.path.map { $0.withBytes { PathSet(node).relation(ofPointerText: $0) != .outside } } ?? true
        }
        return interest.isTouched(by: raw)
    }

    // MARK: Building one

    private func operation(
        _ raw: PatchOperation, _ index: Int, _ pointers: inout RecentTexts<JSONPointer>
    ) throws(JournalError) -> JSONPatch.Operation {
        let path = try pointer(raw.path, "path", index, &pointers)
        switch raw.name {
        case .replace: return .replace(path, try value(raw.value, path, index), old: nil)
        case .add: return .add(path, try value(raw.value, path, index))
        case .remove: return .remove(path, old: nil)
        case .move: return .move(from: try pointer(raw.from, "from", index, &pointers), to: path)
        case .copy: return .copy(from: try pointer(raw.from, "from", index, &pointers), to: path)
        case .test: return .test(path, try value(raw.value, path, index))
        case nil: throw failure(index, path, .missingMember("op"))
        }
    }

    private func pointer(
        _ text: JSONToken?, _ member: String, _ index: Int, _ pointers: inout RecentTexts<JSONPointer>
    ) throws(JournalError) -> JSONPointer {
        guard let text, !text.isEscaped else { return try pointer(text, member, index) }
        if let known = pointers.value(of: text.raw) { return known }
        let pointer = try pointer(text, member, index)
        pointers.keep(pointer, of: text.raw)
        return pointer
    }

    private func pointer(_ text: JSONToken?, _ member: String, _ index: Int) throws(JournalError) -> JSONPointer {
        guard let text = text?.string else { throw failure(index, JSONPointer(), .missingMember(member)) }
        do throws(JSONPointerError) { return try JSONPointer(parsing: text) } catch {
            throw failure(index, JSONPointer(), .badPointer(member: member, error))
        }
    }

    private func value(_ token: JSONToken?, _ path: JSONPointer, _ index: Int) throws(JournalError) -> JSONValue {
        guard let token else { throw failure(index, path, .missingMember("value")) }
        return token.value(order: order)
    }

    private func failure(_ index: Int, _ path: JSONPointer, _ reason: PatchError.Reason) -> JournalError {
        line.damage(
            .patch(commit: line.seq, store: store, PatchError(operation: index, path: path, reason: reason)))
    }
}

extension RecordLine {
    fileprivate var commitDamage: JournalError {
        do throws(JournalError) {
            let record = try object()
            let store = try text("store", of: record)
            guard let patch = record["patch"] else {
                return damage(.record(RecordFault(member: "patch", expected: "an array", isMissing: true)))
            }
            do throws(PatchError) { _ = try JSONPatch(json: patch) } catch {
                return damage(.patch(commit: seq, store: store, error))
            }
            return damage(.record(RecordFault(member: "seq", expected: "the number that leads the line")))
        } catch { return error }
    }
}
