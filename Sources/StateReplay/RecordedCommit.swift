internal import JSONCore
public import JournalFormat
internal import JournalReading
internal import StateEncoding
public import StoreCore

/// A commit of a recorded run, to be made again in a running app.
public struct RecordedCommit<State: Sendable>: Sendable {
    /// Its number in the journal.
    public let number: CommitNumber
    /// Its name: the function that made it, unless it was given another one.
    public let name: String
    /// The state of the store after it.
    public let state: State
    /// The type of the action that it answered, with its case: `Search.Action.found`; nil for none.
    public let actionType: String?
    private let payload: JSONValue?
    private let store: String

    fileprivate init(_ record: Record, of store: String, _ state: State) {
        number = record.seq
        name = record.title ?? ""
        self.state = state
        actionType = record.action?.type
        payload = record.action?.payload
        self.store = store
    }

    /// The action that it answered; nil if that is of another type, or there is none.
    ///
    /// - Throws: ``JournalReaderError/value(store:path:type:problem:)`` if what the journal has of it is not all of it.
    public func action<Action: Decodable>(as type: Action.Type = Action.self) throws(JournalReaderError) -> Action? {
        let typeName = TypeName.name(of: type)
        guard let actionType, actionType == typeName || actionType.hasPrefix(typeName + ".") else { return nil }
        let cases = actionType.dropFirst(typeName.count + 1)
        let forms = Self.forms(payload, of: String(cases.prefix { $0 != "." }))
        var problem: StateDecodingError?
        for form in forms {
            do throws(StateDecodingError) {
                return try StateDecoder.decode(type, from: form)
            } catch {
                problem = problem ?? error
            }
        }
        guard let problem else { return nil }
        throw .value(store: store, path: problem.path, type: problem.type, problem: problem.diagnostic)
    }

    /// What an action may have encoded as, of which the journal has the associated values only.
    private static func forms(_ payload: JSONValue?, of caseName: String) -> [JSONValue] {
        func enumCase(_ values: JSONValue) -> JSONValue { .object(JSONObject(caseName, values)) }
        if caseName.isEmpty { return [payload ?? .object(JSONObject())] }
        guard let payload else { return [enumCase(.object(JSONObject())), .string(caseName)] }
        let single = enumCase(.object(JSONObject("_0", payload)))
        guard case .object = payload else { return [single, payload] }
        return [enumCase(payload), single, payload]
    }
}

extension JournalReader {
    /// Reads the commits of one store, in their order.
    ///
    /// - Parameters:
    ///   - store: the store's name in the journal.
    ///   - type: the type that its state was recorded from.
    ///   - body: called with each commit.
    /// - Throws: ``JournalReaderError``, and what the closure throws.
    /// - Complexity: one pass over the journal, and a decoding of the state for each commit.
    public func forEachCommit<State: Decodable & Sendable>(
        of store: String, as type: State.Type = State.self, _ body: (RecordedCommit<State>) throws -> Void
    ) throws {
        var reader = journal.records()
        var position = PositionState(start: journal.start, pruning: paths(of: store))
        while let record = try next(of: store, in: &reader, &position) {
            guard let value = position.stores[store] else { continue }
            try body(RecordedCommit(record, of: store, try decode(type, from: value, of: store)))
        }
    }

    /// The next commit of a store, which the position is brought to.
    private func next(
        of store: String, in reader: inout RecordReader, _ position: inout PositionState
    ) throws(JournalReaderError) -> Record? {
        do throws(JournalError) {
            while let line = try reader.next() {
                _ = try position.apply(line)
                guard line.kind == .commit else { continue }
                let record = try Record(line)
                if let name = record.store, UTF8Order.equal(name, store) { return record }
            }
            return nil
        } catch {
            throw .journal(error)
        }
    }
}

extension Store where State: Decodable {
    /// Sends a recorded run into this store: the states of its commits, one by one, each in a commit of the recorded name.
    ///
    ///     try cart.replay(JournalReader("run.jsonl")) { commit in #expect(view.title == "\(commit.state.items.count)") }
    ///
    /// What subscribes to the store hears of each as it did in the run. What a subscriber commits itself comes on top.
    ///
    /// - Parameters:
    ///   - reader: the journal.
    ///   - store: the name that the store has in that journal; by default its own.
    ///   - step: called after each commit.
    /// - Throws: ``JournalReaderError``, and what the closure throws.
    public func replay(
        _ reader: JournalReader, of store: String? = nil, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        _ step: (RecordedCommit<State>) throws -> Void = { _ in }
    ) throws {
        try reader.forEachCommit(of: store ?? name, as: State.self) { recorded in
            commit(name: recorded.name, fileID: fileID, line: line, column: column, function: function) {
                $0 = recorded.state
            }
            try step(recorded)
        }
    }
}
