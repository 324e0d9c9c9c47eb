public import StoreCore

extension ModelObserver {
    /// Calls a closure with a model now, and with each newer version of it, on ``current``.
    public static func add<Model: ObservedModel>(
        _ model: Model, on context: DeliveryContext = .inline, buffering: ChangesBuffering? = nil,
        fileID: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function,
        _ receive: @escaping @Sendable (Changes<Model>) -> Void
    ) -> Subscription {
        current.add(
            model, on: context, buffering: buffering, fileID: fileID, line: line, column: column, function: function,
            receive)
    }

    /// Calls a closure of the main actor with a model, and with each newer version of it, on ``current``.
    public static func add<Model: ObservedModel>(
        _ model: Model, on actor: MainActor.Type, atOnce isAtOnce: Bool = false, buffering: ChangesBuffering? = nil,
        fileID: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function,
        _ receive: @escaping @MainActor (Changes<Model>) -> Void
    ) -> Subscription {
        current.add(
            model, on: actor, atOnce: isAtOnce, buffering: buffering, fileID: fileID, line: line, column: column,
            function: function, receive)
    }

    /// A model now, and each newer version of it, as an `AsyncSequence`, on ``current``.
    public static func values<Model: ObservedModel>(
        of model: Model, buffering: ChangesBuffering = .newest(1), fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function
    ) -> ValuesSequence<Model> {
        current.values(
            of: model, buffering: buffering, fileID: fileID, line: line, column: column, function: function)
    }

    /// Replaces a model by a newer version, on ``current``.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    public static func update(
        _ model: some ObservedModel, name: String? = nil, fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function
    ) -> Bool {
        current.update(model, name: name, fileID: fileID, line: line, column: column, function: function)
    }

    /// Replaces several models by newer versions in one commit, on ``current``.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    public static func update(
        contentsOf models: [any ObservedModel], name: String? = nil, fileID: String = #fileID, line: Int = #line,
        column: Int = #column, function: String = #function
    ) -> Bool {
        current.update(
            contentsOf: models, name: name, fileID: fileID, line: line, column: column, function: function)
    }

    /// Ends an observer.
    public static func remove(_ subscription: Subscription) { subscription.cancel() }
}
