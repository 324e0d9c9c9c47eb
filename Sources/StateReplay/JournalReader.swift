public import Diagnostics
internal import JSONCore
internal import JournalFormat
public import JournalReading
@_exported public import struct JournalReading.JournalError
@_exported public import enum JournalReading.PositionError
@_exported public import enum JournalReading.PositionText
internal import StateEncoding

/// Reads states of a recorded run back into Swift, so that a test can start where the app was just before a bug.
///
///     let cart = try JournalReader("run.jsonl").state(at: 117, of: "cart", as: CartState.self)
///     let store = Store(cart)
///
/// The journal may still be written to, and may be packed by gzip or zstd. This is not for walking along a whole run:
/// each state is sought on its own.
public struct JournalReader: Sendable {
    let journal: Journal

    /// Opens a journal and checks its first line.
    ///
    /// - Throws: ``JournalReaderError/journal(_:)`` if there is no journal to read.
    public init(_ path: String) throws(JournalReaderError) {
        do throws(JournalError) { journal = try Journal.open(path, access: .random) } catch { throw .journal(error) }
    }

    /// The number of the last commit.
    ///
    /// - Throws: ``JournalReaderError/journal(_:)`` if the journal's end cannot be read.
    public var lastCommit: Int {
        get throws(JournalReaderError) {
            do throws(JournalError) { return try journal.lastCommit.rawValue } catch { throw .journal(error) }
        }
    }

    /// The names of the stores that are open at a position, in ascending order.
    ///
    /// - Complexity: as ``state(at:of:as:substituting:)``, for all stores.
    public func storeNames(at position: PositionText = .end) throws(JournalReaderError) -> [String] {
        let commit = try commit(position)
        do throws(JournalError) { return try journal.state(at: commit).stores.keys } catch { throw .journal(error) }
    }

    /// The state of a store at a position of the run.
    ///
    /// - Parameters:
    ///   - position: the number of a commit, `.start`, `.end`, `.end(minus: 3)`, `.time(…)` or `.mark("tapped Buy")`: the
    ///     state is the one before the next commit.
    ///   - store: the store's name in the journal.
    ///   - type: the type that the state was recorded from, or another that reads the same JSON.
    ///   - replacements: values for what the journal does not hold because it was redacted or too large, by JSON
    ///     Pointer into the state (`/user/token`).
    /// - Throws: ``JournalReaderError``: no such store or position, a position inside a gap, a value that is not one of
    ///   the type.
    /// - Complexity: O(log n) reads in the length of the journal, then reads about four times the state's size.
    public func state<State: Decodable>(
        at position: PositionText = .end, of store: String, as type: State.Type = State.self,
        substituting replacements: [String: any Encodable & Sendable] = [:]
    ) throws(JournalReaderError) -> State {
        var value = try recordedState(at: try commit(position), of: store)
        for (path, replacement) in replacements.sorted(by: { $0.key < $1.key }) {
            try Self.substitute(replacement, at: path, in: &value)
        }
        return try decode(type, from: value, of: store)
    }

    func decode<State: Decodable>(
        _ type: State.Type, from value: JSONValue, of store: String
    ) throws(JournalReaderError) -> State {
        do throws(StateDecodingError) {
            return try StateDecoder.decode(type, from: value)
        } catch {
            throw .value(store: store, path: error.path, type: error.type, problem: error.diagnostic)
        }
    }

    func paths(of store: String) -> PathSet {
        var paths = PathSet.nothing
        paths.insert(JSONPointer([store]))
        return paths
    }

    private func commit(_ position: PositionText) throws(JournalReaderError) -> CommitNumber {
        do throws(PositionError) { return try journal.position(position) } catch {
            if case .journal(let error) = error { throw .journal(error) }
            throw .position(error)
        }
    }

    private func recordedState(at commit: CommitNumber, of store: String) throws(JournalReaderError) -> JSONValue {
        do throws(JournalError) {
            if let value = try journal.state(at: commit, pruning: paths(of: store)).stores[store] { return value }
            let known = try journal.state(at: commit).stores.keys
            throw JournalError(path: journal.path, .noSuchStore(name: store, at: commit, known: known))
        } catch {
            throw .journal(error)
        }
    }

    /// Replaces the value at a path, or adds one to the object there.
    private static func substitute(
        _ replacement: some Encodable & Sendable, at path: String, in value: inout JSONValue
    ) throws(JournalReaderError) {
        do {
            var bytes: [UInt8] = []
            try ValueEncoder.append(replacement, to: &bytes)
            let pointer = try JSONPointer(parsing: path)
            let json = try JSONParser.parse(bytes)
            let isThere = pointer.value(in: value) != nil
            try JSONPatch([isThere ? .replace(pointer, json, old: nil) : .add(pointer, json)]).apply(to: &value)
        } catch let error as any DiagnosticConvertible {
            throw .substitution(path: path, problem: error.diagnostic)
        } catch {
            throw .substitution(path: path, problem: Diagnostic(code: "decoding.substitution", "\(error)"))
        }
    }
}

/// Why a recorded state could not be read back.
public enum JournalReaderError: DiagnosticConvertible, Sendable {
    /// The journal cannot be read, or has no such position or store; its diagnostic names the similar ones.
    case journal(JournalError)
    /// The position names no place in the journal: a mark that is not there, a time before the run.
    case position(PositionError)
    /// A recorded value cannot be decoded as the requested type.
    ///
    /// `path` is a JSON Pointer into the state, `type` the Swift type that was expected there.
    case value(store: String, path: String, type: String, problem: Diagnostic)
    /// A substitute cannot be put where it belongs, or has no JSON form.
    case substitution(path: String, problem: Diagnostic)

    /// The error as a sentence with its reason and a remedy.
    public var diagnostic: Diagnostic {
        switch self {
        case .journal(let error): return error.diagnostic
        case .position(let error): return error.diagnostic
        case .value(let store, _, _, var problem):
            problem.message = "store '\(store)': \(problem.message)"
            return problem
        case .substitution(let path, var problem):
            problem.message = "the substitute for '\(path)': \(problem.message)"
            return problem
        }
    }
}
