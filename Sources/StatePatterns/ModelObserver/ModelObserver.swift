internal import JournalFormat
internal import Platform
public import StateEncoding
public import StoreCore
internal import Synchronization

/// Notifies every observer of a model of its newer versions, wherever they come from.
///
///     let subscription = ModelObserver.current.add(pin) { changes in heart.isOn = changes.isLiked }
///     ModelObserver.current.update(likedPin)
///
/// Models are immutable values (``ObservedModel``); an update replaces the known version of the same type and identity,
/// also in all models that are known to hold it. A version with an older change time is dropped. Each update is a
/// commit, so the journal has it with the line that made it: `/User/42/name` of the store `models`.
///
/// For models that come from many sources and are shown in many places. If one owner has them all, use an
/// ``EntityTable`` in a ``Store``: it has indexes and an order.
public final class ModelObserver: Sendable {
    /// The one that the static calls use: one for the process, unless a task has its own.
    ///
    /// The process's own is recorded by ``Recorder/fromEnvironment``, whichever task asks for it first.
    @TaskLocal public static var current = ModelObserver(whenUsed: .fromEnvironment)

    private let content: Mutex<Content>
    private let registry = ModelRegistry()
    private let observation = KeyedObservation<ModelKey>()
    private let keeping: Int

    /// The store of the models, and what delivers its commits to their observers.
    private enum Content: Sendable {
        /// The store is made when it is first used, so that an observer that is not used is in no journal.
        case unused(@Sendable () -> Store<ModelStates>)
        case used(Store<ModelStates>, delivery: Subscription)
    }

    /// Makes an observer that knows no models.
    ///
    /// - Parameters:
    ///   - name: the name of its store in journals.
    ///   - recorder: what records it; nil for one that is not recorded.
    ///   - keeping: how many models that nothing holds are kept, so that a version that was replaced long ago is still
    ///     known to be old. The next commit removes the others, those that were unneeded for the longest time first. A
    ///     model is held by its observers, by derived values that have it as an input, by models around it, and by a view
    ///     that has read it; so many that views held until they were notified are kept beside.
    public init(
        name: String = "models", recorder: Recorder? = .current, keeping: Int = 1_000, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function
    ) {
        requirement(keeping >= 0, "'ModelObserver(keeping: \(keeping))' cannot keep fewer models than none")
        self.keeping = keeping
        content = Mutex(
            .unused {
                Store(
                    ModelStates(), name: name, recorder: recorder, fileID: fileID, line: line, column: column,
                    function: function)
            })
        _ = store
    }

    /// Makes an observer that is not in its recorder's journal until it is first used.
    package init(whenUsed recorder: Recorder?) {
        keeping = 1_000
        content = Mutex(.unused { Store(ModelStates(), name: "models", recorder: recorder) })
    }

    private var store: Store<ModelStates> {
        content.withLock { content in
            switch content {
            case .used(let store, _): return store
            case .unused(let make):
                let store = make()
                let delivery = store.subscribe(initially: false) { [registry] changes in registry.deliver(changes) }
                content = .used(store, delivery: delivery)
                return store
            }
        }
    }

    /// The known version of a model; nil if none is known.
    ///
    /// Read inside `withObservationTracking`, or in the `body` of a SwiftUI view, it is tracked: the next update of this
    /// model, or of one within it, notifies the reader, and of no other. Until then the model is kept.
    public func model<Model: ObservedModel>(_ type: Model.Type, _ id: Model.ID) -> Model? {
        let store = store
        let key = ModelKey(type, id)
        observation.registerAccess(to: key, holding: { registry.holdRead(key) }) {
            store.subscribe(initially: false) { [weak observation] changes in
                for key in changes.current.touched { observation?.notify(key) }
                for key in changes.current.dropped { observation?.notify(key) }
            }
        }
        return store.untrackedState.model(type, id)
    }

    /// The known version of a model as an input of a derived value: nil while none is known.
    ///
    ///     let heading = Derived(models.input(User.self, 42), named: "heading") { user in user?.name ?? "…" }
    ///
    /// The model is kept for as long as the input, or a derived value that has it, lives. The journal does not say which
    /// model the value reads.
    ///
    /// - Complexity: a commit of the models looks up the model and compares it.
    public func input<Model: ObservedModel>(_ type: Model.Type, _ id: Model.ID) -> DerivedInput<Model?> {
        let key = ModelKey(type, id)
        return store.input(
            sending: \.[ModelReference<Model>(id: id)], by: { ContentComparison.same($0, $1) },
            holding: { [registry] in registry.hold(key) })
    }

    // MARK: Observing

    /// Calls a closure with a model now, and with each newer version of it.
    ///
    /// The closure is called at once, with a newer version where one is known, and then each time that the model, or one
    /// within it, was updated: in order, never by two threads at a time. It may update models itself.
    ///
    /// - Parameters:
    ///   - model: a version of the model. It and the models within it are registered, which is a commit if they are
    ///     new: not known yet, or of a later change time than the known version. Any other version of a known model may
    ///     be an old copy.
    ///   - buffering: what happens to versions that come faster than they are received; by default what the context does:
    ///     each is kept where the closure may run on the thread that commits, else the newest 1,024 are.
    ///   - receive: called never twice at a time, where it is written: one of the main actor on the main actor, any other on the
    ///     thread that delivers the update.
    /// - Returns: what keeps the observer alive; ``remove(_:)`` ends it, too.
    public func add<Model: ObservedModel>(
        _ model: Model, buffering: ChangesBuffering? = nil, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function,
        @_inheritActorContext _ receive: @escaping @isolated(any) @Sendable (Changes<Model>) -> Void
    ) -> Subscription {
        add(
            model, on: .running(receive.isolation), buffering: buffering, fileID: fileID, line: line, column: column,
            function: function, receive)
    }

    /// Calls a closure with a model now, and with each newer version of it, in a context of the caller's.
    public func add<Model: ObservedModel>(
        _ model: Model, on context: DeliveryContext, buffering: ChangesBuffering? = nil,
        fileID: StaticString = #fileID, line: Int = #line, column: Int = #column, function: StaticString = #function,
        _ receive: @escaping @isolated(any) @Sendable (Changes<Model>) -> Void
    ) -> Subscription {
        register(model, at: CommitLocation(file: fileID, line: line, column: column, function: function))
        let (key, id) = (ModelKey(model), model.id)
        let (subscriber, number) = store.addSubscriber(
            of: { $0.model(Model.self, id) }, or: model, at: { [$0.tableName(of: Model.self), nil] },
            on: context.allowing(receive.isolation), buffering: buffering,
            register: { subscriber in registry.withIndex { $0.add(subscriber.deliver, to: key) } },
            DeliveryContext.unisolated(receive))
        return subscriber.subscription { [registry] in
            let removed = registry.withIndex { $0.remove(number, of: key) }
            withExtendedLifetime(removed) {}
        }
    }

    /// A model now, and each newer version of it, as an `AsyncSequence`.
    ///
    /// - Parameters:
    ///   - model: a version of the model, which is registered.
    ///   - buffering: what happens to versions that come faster than they are taken: by default only the newest is kept.
    /// - Returns: a sequence for one consumer, that ends with its task.
    public func values<Model: ObservedModel>(
        of model: Model, buffering: ChangesBuffering = .newest(1), fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function
    ) -> ValuesSequence<Model> {
        ValuesSequence(buffering: buffering) { push in
            add(model, fileID: fileID, line: line, column: column, function: function, push)
        }
    }

    /// Returns when all updates until then are delivered: for tests.
    public func waitUntilDelivered() async { await store.waitUntilDelivered() }

    /// Ends an observer.
    public func remove(_ subscription: Subscription) { subscription.cancel() }

    // MARK: Updating

    /// Replaces a model by a newer version, and notifies the observers of it, of what lies within it and of what holds
    /// it.
    ///
    /// - Parameters:
    ///   - model: the newer version. One with an older change time than the known version's is dropped.
    ///   - name: the commit's name in the journal; by default the function that it is made in.
    /// - Returns: whether anything changed.
    /// - Complexity: O(log *n*) of the models of its type, for it and each that holds it or lies within it.
    @discardableResult
    public func update(
        _ model: some ObservedModel, name: String? = nil, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function
    ) -> Bool {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return perform([model], named: name, at: location)
    }

    /// Replaces several models by newer versions in one commit.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    public func update(
        contentsOf models: [any ObservedModel], name: String? = nil, fileID: StaticString = #fileID, line: Int = #line,
        column: Int = #column, function: StaticString = #function
    ) -> Bool {
        let location = CommitLocation(file: fileID, line: line, column: column, function: function)
        return perform(models, named: name, at: location)
    }

    /// Makes sure that this version of a model or a newer one is known, without a commit if it is.
    private func register<Model: ObservedModel>(_ model: Model, at location: CommitLocation) {
        if let known = store.untrackedState.model(Model.self, model.id), !ModelUpdate.isOlder(known, than: model) {
            return
        }
        _ = perform([model], isRegistration: true, named: nil, at: location)
    }

    private func perform(
        _ models: [any ObservedModel], isRegistration: Bool = false, named name: String?, at location: CommitLocation
    ) -> Bool {
        store.commit(asAt: location, name: name) { states in
            states.begin()
            registry.withIndex { $0.drop(from: &states, keeping: keeping) }
            for model in models {
                var update = ModelUpdate(registry, isRegistration: isRegistration)
                _ = update.put(model, into: &states)
            }
            return !states.touched.isEmpty
        }
    }
}

extension ModelObserver: OpaqueToDump {}
