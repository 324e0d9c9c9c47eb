internal import JournalFormat

extension Store {
    /// Makes a value that is derived from one property.
    ///
    ///     let badge = store.derived("badge", \.items) { $0.count }
    ///
    /// - Parameters:
    ///   - name: its name in the journal, a jq identifier at best.
    ///   - input: the property; the transform runs only when it differs from the one before.
    ///   - transform: computes the value from the property, and from nothing else.
    public func derived<Input: Equatable & Sendable, Value: Equatable & Sendable>(
        _ name: String, _ input: any KeyPath<State, Input> & Sendable, fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function, _ transform: @escaping @Sendable (Input) -> Value
    ) -> Derived<Value> {
        makeDerived(
            name, at: SourceLocation(file: fileID, line: line, column: column, function: function), paths: [input],
            read: { $0[keyPath: input] }, isSameInput: ==, transform: transform)
    }

    /// Makes a value that is derived from two properties.
    public func derived<First: Equatable & Sendable, Second: Equatable & Sendable, Value: Equatable & Sendable>(
        _ name: String, _ first: any KeyPath<State, First> & Sendable, _ second: any KeyPath<State, Second> & Sendable,
        fileID: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function,
        _ transform: @escaping @Sendable (First, Second) -> Value
    ) -> Derived<Value> {
        makeDerived(
            name, at: SourceLocation(file: fileID, line: line, column: column, function: function),
            paths: [first, second], read: { ($0[keyPath: first], $0[keyPath: second]) }, isSameInput: ==,
            transform: { transform($0.0, $0.1) })
    }

    /// Makes a value that is derived from three properties.
    public func derived<
        First: Equatable & Sendable, Second: Equatable & Sendable, Third: Equatable & Sendable,
        Value: Equatable & Sendable
    >(
        _ name: String, _ first: any KeyPath<State, First> & Sendable, _ second: any KeyPath<State, Second> & Sendable,
        _ third: any KeyPath<State, Third> & Sendable, fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function,
        _ transform: @escaping @Sendable (First, Second, Third) -> Value
    ) -> Derived<Value> {
        makeDerived(
            name, at: SourceLocation(file: fileID, line: line, column: column, function: function),
            paths: [first, second, third],
            read: { ($0[keyPath: first], $0[keyPath: second], $0[keyPath: third]) }, isSameInput: ==,
            transform: { transform($0.0, $0.1, $0.2) })
    }

    private func makeDerived<Input: Sendable, Value: Equatable & Sendable>(
        _ name: String, at location: SourceLocation, paths: [any PartialKeyPath<State> & Sendable],
        read: @escaping @Sendable (State) -> Input, isSameInput: @escaping @Sendable (Input, Input) -> Bool,
        transform: @escaping @Sendable (Input) -> Value
    ) -> Derived<Value> {
        let graph = delivery.graph
        let definition = TransformVertex<Input, Value>.Definition(
            name: name, read: { graph.state.map(read) }, isSameInput: isSameInput, isSameValue: ==,
            transform: transform)
        let declaration = recorded.map { recorder, track in
            recorder.declare(
                DerivedDeclaration(wanted: name, location: location, track: track, paths: paths))
        }
        return Derived(definition, declaration: declaration, home: self)
    }
}

extension Store: DerivedHome {
    func add(_ vertex: any DerivedVertex) { delivery.graph.add(vertex) }

    func evaluate(_ body: (StateMoment) -> Void) {
        delivery.graph.evaluate(listening: { listen { _, node in node } }, body)
    }

    var recording: (recorder: Recorder, track: any StoreTrack)? { recorded.map { ($0.recorder, $0.track) } }
}
