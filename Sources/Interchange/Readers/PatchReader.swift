public import JSONCore
import JournalFormat

/// Reads patches of one state: those of RFC 6902, of immer, and of mobx-state-tree.
///
/// A line is an array of operations (a commit), one operation, an array of such arrays, or an object that has them as `patch`,
/// `patches`, `ops` or `operations`, and perhaps `time` and `name`. The first line may be the state that the patches begin with,
/// an object with none of these.
///
/// JSON leaves out a value that was `undefined`. In patches of immer and mobx-state-tree an operation without a value takes its
/// member out, if it is there, and one that replaces a member that is not there adds it.
public struct PatchReader: ImportReader {
    /// Whose patches they are.
    public enum Dialect: Sendable {
        case rfc6902
        /// Paths are arrays; `replace` of an array's `length` cuts it. A pair of arrays is patches and inverse patches.
        case immer
        /// Paths may be relative; `oldValue` is what was there.
        case mobxStateTree
    }

    private let dialect: Dialect
    private let initial: JSONValue?
    private static let store = "state"

    /// A reader of patches.
    ///
    /// - Parameter initial: the state that they begin with, where the file does not say it; members in ascending order.
    public init(_ dialect: Dialect, initial: JSONValue? = nil) {
        self.dialect = dialect
        self.initial = initial
    }

    /// The format.
    public var format: ImportFormat {
        switch dialect {
        case .rfc6902: .jsonPatch
        case .immer: .immer
        case .mobxStateTree: .mobxStateTree
        }
    }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        var origin = ImportedRun.Origin(at: run.location(line: line))
        if !run.isOpen(Self.store), initial == nil, case .object(let members) = text, Self.isState(members) {
            return run.open(Self.store, text, origin)
        }
        switch text {
        case .array(let elements): try readArray(elements.array, origin, &run)
        case .object(let members) where members["op"] != nil: try commit([text], origin, &run)
        case .object(let members):
            let members = TextMembers(members)
            origin.time = try members.time("time", "timestamp")
            origin.name = members["name"]?.string
            guard let patches = Self.operations(Self.patchNames, in: members) else {
                throw .form(expected: format.form)
            }
            try commit(patches, inverse: Self.operations(Self.inverseNames, in: members), origin, &run)
        default: throw .form(expected: format.form)
        }
    }

    private static let patchNames = ["patch", "patches", "ops", "operations"]
    private static let inverseNames = ["inversePatch", "inversePatches"]

    private static func operations(_ names: [String], in members: TextMembers) -> [JSONValue]? {
        names.lazy.compactMap { name in
            switch members[name] {
            case .array(let operations)?: operations.array
            case .object(let operation)? where operation["op"] != nil: [.object(operation)]
            default: nil
            }
        }.first
    }

    private static func isState(_ members: JSONObject) -> Bool {
        members["op"] == nil && operations(patchNames, in: TextMembers(members)) == nil
    }

    private mutating func readArray(
        _ elements: [JSONValue], _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        guard elements.contains(where: { $0.array != nil }) else { return try commit(elements, origin, &run) }
        var patches: [[JSONValue]] = []
        for element in elements {
            guard case .array(let patch) = element else { throw .form(expected: "an array of patches") }
            patches.append(patch.array)
        }
        if dialect == .immer, patches.count == 2 { return try commit(patches[0], inverse: patches[1], origin, &run) }
        let line = origin.at.line
        for (index, patch) in patches.enumerated() {
            try run.item("patch \(index)", line: line) { (run) throws(ImportFault) in
                try commit(patch, origin, &run)
            }
        }
    }

    private mutating func commit(
        _ operations: [JSONValue], inverse: [JSONValue]? = nil, _ origin: ImportedRun.Origin, _ run: inout ImportedRun
    ) throws(ImportFault) {
        if !run.isOpen(Self.store) {
            if initial == nil, let whole = Self.wholeState(operations) { return run.open(Self.store, whole, origin) }
            run.open(Self.store, initial ?? .object(JSONObject()), origin)
        }
        let patch = try patch(operations, inverse, run.state(of: Self.store) ?? .null)
        try run.commit(patch, to: Self.store, checksOld: dialect == .mobxStateTree, origin)
    }

    /// A patch of the journal's kind; where there are inverse patches, they have to lead back.
    private func patch(
        _ operations: [JSONValue], _ inverse: [JSONValue]?, _ before: JSONValue
    ) throws(ImportFault) -> JSONPatch {
        let patch = try patch(operations, on: before)
        var state = before
        // Patches that do not apply are reported where they are committed.
        guard let inverse, (try? patch.apply(to: &state, order: .ascending)) != nil else { return patch }
        let back = try self.patch(inverse, on: state)
        guard (try? back.apply(to: &state, order: .ascending)) != nil, state == before else { throw .notInverse }
        return patch
    }

    private static func wholeState(_ operations: [JSONValue]) -> JSONValue? {
        guard operations.count == 1, case .object(let members) = operations[0], members["path"]?.string == "",
            members["op"]?.string == "add" || members["op"]?.string == "replace"
        else { return nil }
        return members["value"]
    }

    // MARK: Dialects

    private func patch(_ operations: [JSONValue], on state: JSONValue) throws(ImportFault) -> JSONPatch {
        switch dialect {
        case .rfc6902: return try JSONPatch(ofFile: .array(operations))
        case .mobxStateTree, .immer:
            var (patch, value) = (JSONPatch(), state)
            for operation in operations {
                let plain =
                    dialect == .immer
                    ? try Self.pointed(operation, on: value) : try Self.plain(Self.rooted(operation), on: value)
                patch.operations += plain
                for step in plain { _ = try? JSONPatch([step]).apply(to: &value, order: .ascending) }
            }
            return patch
        }
    }

    /// An operation of RFC 6902, with what the dialects mean by a value that is `undefined`.
    private static func plain(_ operation: JSONValue, on state: JSONValue) throws(ImportFault) -> [JSONPatch.Operation]
    {
        guard case .object(var members) = operation, let name = members["op"]?.string,
            name == "add" || name == "replace",
            let path = members["path"]?.string, let pointer = try? JSONPointer(parsing: path),
            let parent = pointer.parent?.value(in: state)
        else { return try JSONPatch(ofFile: .array([operation])).operations }
        guard parent.object != nil else {
            // As in the JSON of an array.
            if parent.isArray, members["value"] == nil { members["value"] = .null }
            return try JSONPatch(ofFile: .array([.object(members)])).operations
        }
        let isThere = pointer.value(in: state) != nil
        if members["value"] == nil {
            guard isThere else { return [] }
            members["op"] = .string("remove")
        } else if name == "replace", !isThere {
            members["op"] = .string("add")
            members["old"] = nil
        }
        return try JSONPatch(ofFile: .array([.object(members)])).operations
    }

    /// An operation of mobx-state-tree with a path from the root and `old`.
    private static func rooted(_ operation: JSONValue) throws(ImportFault) -> JSONValue {
        guard case .object(var members) = operation, let path = members["path"]?.string else { return operation }
        var segments: [Substring] = []
        let isAbsolute = UTF8Order.begins(path, with: "/")
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts.dropFirst(isAbsolute ? 1 : 0).map({ Substring($0) }) {
            if part == "." { continue }
            if part == "..", !isAbsolute {
                guard !segments.isEmpty else {
                    throw .member(
                        "path", expected: "a path that stays below the node that was observed", isMissing: false)
                }
                segments.removeLast()
            } else {
                segments.append(part)
            }
        }
        let isRoot = path.isEmpty || segments.isEmpty
        members["path"] = .string(isRoot ? "" : "/" + segments.joined(separator: "/"))
        if let old = members["oldValue"] { members["old"] = old }
        return .object(members)
    }

    /// An operation of immer as one with a pointer; one that cuts an array as those that take its elements out.
    private static func pointed(_ operation: JSONValue, on state: JSONValue) throws(ImportFault) -> [JSONPatch
        .Operation]
    {
        guard case .object(var members) = operation else { throw .form(expected: "an operation, an object") }
        guard case .array(let parts)? = members["path"] else {
            throw .member("path", expected: "an array of names and indices", isMissing: members["path"] == nil)
        }
        var segments: [String] = []
        for part in parts {
            switch part {
            case .string(let name): segments.append(name)
            case .number(let number): segments.append(number.text)
            default: throw .member("path", expected: "an array of names and indices", isMissing: false)
            }
        }
        let pointer = JSONPointer(segments)
        if segments.last == "length", let parent = pointer.parent, case .array(let elements)? = parent.value(in: state),
            let length = members["value"]?.number?.integerValue, (0...elements.count).contains(length)
        {
            return (length..<elements.count).reversed().map { .remove(parent.appending(String($0)), old: nil) }
        }
        members["path"] = .string(pointer.text)
        return try plain(.object(members), on: state)
    }
}

/// Reads whole states, as loggers without differences write them, one a line or over several: the first opens a store, each later
/// one is a commit of what differs.
public struct SnapshotReader: ImportReader {
    /// A reader of states.
    public init() {}

    /// The format.
    public var format: ImportFormat { .snapshots }
    /// A state is all that there is.
    public var saysTimes: Bool { false }

    /// Takes the next text.
    public mutating func read(_ text: JSONValue, line: Int, into run: inout ImportedRun) throws(ImportFault) {
        run.set("state", to: text, ImportedRun.Origin(at: run.location(line: line)))
    }
}
