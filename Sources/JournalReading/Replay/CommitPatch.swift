package import JSONCore
import JournalFormat

/// A commit's patch, as it lies in the line: only the operations that a pruned state needs are built, and no `old` is.
///
/// It stands for `JSONPatch(json:)`, which a line that cannot be followed is left to: both give the same state, or the same
/// damage, whatever form the line is written in.
struct CommitPatch {
    /// The store that it is a patch of.
    let store: String
    private let line: RecordLine
    /// What the line says; nil where it was decoded.
    private let text: CommitText?
    /// How the members of values stand.
    private let order: MemberOrder
    /// The whole patch, where the line was decoded.
    private let parsed: JSONPatch?

    /// Takes what a commit's line says.
    init(_ text: CommitText, _ line: RecordLine, order: MemberOrder = .ascending) {
        self.line = line
        self.text = text
        self.order = order
        store = text.store.string ?? ""
        parsed = nil
    }

    /// Finds the operations in a commit's line.
    ///
    /// - Parameter order: how the members of values that come into the state stand.
    /// - Throws: ``JournalError`` with the damage where the line is not JSON, or has no store or patch.
    init(_ line: RecordLine, order: MemberOrder = .ascending) throws(JournalError) {
        self.line = line
        self.order = order
        text = CommitText(line)
        if let text {
            store = text.store.string ?? ""
            parsed = nil
            return
        }
        let record = try line.object(order: order)
        store = try line.text("store", of: record)
        guard let patch = record["patch"] else {
            throw line.damage(.record(RecordFault(member: "patch", expected: "an array", isMissing: true)))
        }
        do throws(PatchError) { parsed = try JSONPatch(json: patch) } catch {
            throw line.damage(.patch(commit: line.seq, store: store, error))
        }
    }

    /// How one operation is applied to a state that is pruned to a node; gives whether the node reads what was written.
    typealias Step = (JSONPatch.Operation, inout PatchedValue, PathSet.Node) throws(PatchError.Reason) -> Bool

    /// What is known of paths from commits before.
    struct KnownPaths: Sendable {
        /// Which of them are read, of the current store.
        var interest: Interest
        /// What they are, as pointers.
        var pointers = RecentTexts<JSONPointer>(capacity: 256)
    }

    /// Makes the commit's store the current one.
    func enterStore(_ interest: inout Interest) {
        if let text {
            text.store.withBytes { (name) -> Void in interest.enter(name) }
        } else {
            var name = store
            name.withUTF8 { (name) -> Void in interest.enter(UnsafeRawBufferPointer(name)) }
        }
    }

    /// Takes an operation with an `old` that is not what the state has there, before it is applied.
    typealias Difference = (JSONPatch.Operation, inout PatchedValue) -> Void

    /// Applies the operations to the store's state, pruned to a node.
    ///
    /// - Parameters:
    ///   - differs: takes what an `old` contradicts; where it is not given, that is damage.
    ///   - stepsReplacements: whether the closure gets operations that only replace a value, too; they are applied by
    ///     the texts of their paths otherwise.
    /// - Returns: whether something that the node reads was written.
    func apply(
        to state: inout JSONValue, pruning node: PathSet.Node, _ known: inout KnownPaths,
        old differs: Difference? = nil, stepsReplacements: Bool, _ step: Step
    ) throws(JournalError) -> Bool {
        var (touched, patched) = (false, PatchedValue(taking: &state))
        defer { state = patched.take() }
        func take(_ operation: JSONPatch.Operation, _ index: Int) throws(JournalError) {
            do throws(PatchError.Reason) {
                if try step(operation, &patched, node) { touched = true }
            } catch {
                throw failure(index, operation.path, error)
            }
        }
        func check(_ operation: JSONPatch.Operation, _ index: Int) throws(JournalError) {
            guard let isThere = contradicts(operation, &patched, node) else { return }
            if let differs { return differs(operation, &patched) }
            // Where nothing is there, the operation does not apply, which says more.
            if isThere { throw line.damage(.old(commit: line.seq, store: store, operation.path)) }
        }
        if let parsed {
            for (index, operation) in parsed.operations.enumerated() {
                try check(operation, index)
                try take(operation, index)
            }
            return touched
        }
        guard let text else { return touched }
        let operations = text.operations
        for index in operations.indices where matters(operations[index], to: node, &known.interest) {
            let raw = operations[index]
            if !stepsReplacements, try replace(raw, index, in: &patched, pruning: node) {
                touched = true
                continue
            }
            let operation = try operation(raw, index, &known.pointers)
            if let old = raw.old, patched.value(at: operation.path).map({ old.matches($0) }) != true {
                try check(CommitPatch.operation(operation, old: old.value(order: order)), index)
            }
            try take(operation, index)
        }
        return touched
    }

    /// Whether something is there where an operation's `old` is not what a state has, as far as a node reads it; nil where it is.
    private func contradicts(
        _ operation: JSONPatch.Operation, _ state: inout PatchedValue, _ node: PathSet.Node
    ) -> Bool? {
        switch operation {
        case .replace(let path, _, let old?), .remove(let path, let old?):
            guard let (found, read) = state.part(at: path, pruning: node) else { return false }
            return found == old.pruned(to: read) ? nil : true
        default: return nil
        }
    }

    /// An operation with what was there before.
    private static func operation(_ operation: JSONPatch.Operation, old: JSONValue) -> JSONPatch.Operation {
        switch operation {
        case .replace(let path, let value, _): .replace(path, value, old: old)
        case .remove(let path, _): .remove(path, old: old)
        default: operation
        }
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
    /// Brings the state of a commit's store over its patch; values come in with their members as they are written.
    ///
    /// - Throws: ``JournalError`` with the damage where the patch does not fit; the state is in between then.
    package func applyPatch(to state: inout JSONValue) throws(JournalError) {
        var known = CommitPatch.KnownPaths(interest: Interest([]))
        _ = try CommitPatch(self, order: .asWritten).apply(
            to: &state, pruning: .all, &known, stepsReplacements: false
        ) { (operation, state, node) throws(PatchError.Reason) in
            try operation.apply(to: &state, pruning: node, order: .ascending)
        }
    }
}
