internal import JournalFormat
internal import Synchronization

/// A value computed from a store's state, and from nothing else, that remembers what it computed.
///
/// It is memoized twice: an equal input does not run the transform, an equal output tells nobody. It is kept up to date from
/// the moment somebody asks for it: from the first read of ``value`` on, while it has subscribers, and while a derived value
/// that reads it is asked for. Until then its transform never runs and its journal has only its declaration.
///
/// It follows the store's deliveries: in a sink it is the value at the version being delivered, even where the store is ahead.
/// Do not use it for a plain property: `store.subscribe` with `changes.ifChanged(\.property)` does the same for less.
public final class Derived<Value: Sendable>: Sendable {
    /// Its name, unique in the journal: a second `badge` is `badge_2`.
    public let name: String

    let vertex: any DerivedVertex
    let home: any DerivedHome
    let declaration: DerivedDeclaration?
    private let output: DerivedOutput<Value>
    private let ask: @Sendable ((inout DerivedOutput<Value>.Content) -> Void) -> Void
    private let unask: @Sendable ((inout DerivedOutput<Value>.Content) -> Void) -> Void

    init<Input>(
        _ definition: TransformVertex<Input, Value>.Definition, declaration: DerivedDeclaration?, home: any DerivedHome
    ) {
        let vertex = TransformVertex(definition, declaration: declaration)
        name = declaration?.name ?? definition.name
        self.vertex = vertex
        self.home = home
        self.declaration = declaration
        output = vertex.output
        ask = { reason in home.evaluate { moment in vertex.ask(at: moment, reason) } }
        unask = { reason in
            vertex.unask(reason)
            home.stopListeningIfUnheard()
        }
        home.add(vertex)
    }

    /// The value at the version that was delivered last.
    ///
    /// - Complexity: one lock. The first read runs the transform, unless there are subscribers already.
    public var value: Value { current.state }

    private var current: StateNode<Value> {
        ThreadActivity.requireOutsideTransform(reading: name)
        if let node = output.content.withLock({ $0.wasRead ? $0.latest : nil }) { return node }
        ask { $0.wasRead = true }
        guard let node = output.content.withLock(\.latest) else {
            preconditionFailure("the derived value '\(name)' was evaluated without a state")
        }
        return node
    }

    /// How often it was in each of the four cases, while somebody asked for it.
    public var counters: DerivedCounters { output.content.withLock(\.counters) }

    /// Calls a closure with the value now, and whenever it differs from the one before.
    ///
    /// - Parameters:
    ///   - initially: whether the closure is called at once with the value as it is.
    ///   - sink: called on the thread that delivers the commit, after the store's own subscribers.
    /// - Returns: what keeps the subscription, and this derived value, alive.
    public func subscribe(
        initially: Bool = true, _ sink: @escaping @Sendable (Changes<Value>) -> Void
    ) -> Subscription {
        ThreadActivity.requireOutsideTransform(reading: name)
        let added = AddedSink<Value>()
        ask { content in
            guard let latest = content.latest else { return }
            let sink = Sink(after: latest.version, isStarting: initially, sink)
            content.sinks.append(sink)
            added.set(sink, at: latest)
        }
        if initially, let (sink, node) = added.get() { sink.start(with: Changes(node, previous: nil)) }
        return Subscription { [self] in
            guard let (sink, _) = added.get() else { return }
            sink.cancel()
            unask { content in content.sinks.removeAll { $0 === sink } }
        }
    }

    /// Makes a derived value that reads this one.
    ///
    /// - Parameters:
    ///   - name: its name in the journal.
    ///   - transform: computes it from this one's value, and from nothing else.
    public func derived<Other: Equatable & Sendable>(
        _ name: String, fileID: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function, _ transform: @escaping @Sendable (Value) -> Other
    ) -> Derived<Other> where Value: Equatable {
        let location = SourceLocation(file: fileID, line: line, column: column, function: function)
        let output = output
        let definition = TransformVertex<Value, Other>.Definition(
            name: name, read: { output.content.withLock { $0.latest?.state } }, isSameInput: ==, isSameValue: ==,
            transform: transform, upstream: [vertex])
        let upstream = declaration.map { [$0] } ?? []
        let declaration = home.recording.map { recorder, track in
            recorder.declare(DerivedDeclaration(wanted: name, location: location, track: track, from: upstream))
        }
        return Derived<Other>(definition, declaration: declaration, home: home)
    }
}
