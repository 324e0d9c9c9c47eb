internal import StateEncoding

/// One commit's changes to the models: what it puts in place, what lies within that, and what holds it.
struct ModelUpdate {
    private let registry: ModelRegistry
    /// Whether the models are only registered: then a version without a change time, or of the same one, may be an old
    /// copy, and is no news of a known model.
    private let isRegistration: Bool
    /// The models that are being put in place, so that a circle of models ends.
    private var open: Set<ModelKey> = []

    init(_ registry: ModelRegistry, isRegistration: Bool) {
        self.registry = registry
        self.isRegistration = isRegistration
    }

    /// Puts a model in place, unless a newer one is there.
    ///
    /// - Returns: the version that is in place afterwards.
    mutating func put<Model: ObservedModel>(_ model: Model, into states: inout ModelStates) -> Model {
        let key = ModelKey(model)
        let known = states.model(Model.self, model.id)
        guard open.insert(key).inserted else { return known ?? model }
        defer { open.remove(key) }
        if let known,
            isRegistration ? !ModelUpdate.isOlder(known, than: model) : ModelUpdate.isOlder(model, than: known)
        {
            return known
        }
        var model = model
        var nestedKeys: [ModelKey] = []
        var seen: Set<ModelKey> = []
        for nested in model.nestedModels {
            if seen.insert(ModelKey(nested)).inserted { nestedKeys.append(ModelKey(nested)) }
            let standing = putAny(nested, into: &states)
            // A known, newer version of a model within takes the place of the older one that came with this model.
            if !ModelUpdate.isEqual(standing, nested) { model = model.replacing(standing) }
        }
        registry.withIndex { $0.register(key, holding: nestedKeys, ModelUpdate.handle(of: Model.self, model.id)) }
        if let known, ContentComparison.same(known, model) { return model }
        states.put(model)
        states.touch(key)
        updateHolders(of: key, model, in: &states)
        return model
    }

    private mutating func putAny(_ model: any ObservedModel, into states: inout ModelStates) -> any ObservedModel {
        put(model, into: &states)
    }

    /// Puts a new version of a model into all that hold it, and those into what holds them: each after all of its
    /// parts.
    ///
    /// In a circle of models each one is updated once, and not again because of itself.
    private func updateHolders(of key: ModelKey, _ model: any ObservedModel, in states: inout ModelStates) {
        var waiting = affectedParts(of: key)
        var ready: [(key: ModelKey, model: any ObservedModel)] = [(key, model)]
        while let (key, model) = ready.popLast() {
            for (holder, handle) in holders(of: key) {
                guard let outer = handle.replace(model, &states) else { continue }
                states.touch(holder)
                waiting[holder, default: 1] -= 1
                if waiting[holder] == 0 { ready.append((holder, outer)) }
            }
        }
    }

    /// The number of changed parts of each model that holds this one, directly or not.
    private func affectedParts(of key: ModelKey) -> [ModelKey: Int] {
        var parts: [ModelKey: Int] = [:]
        var next = [key]
        while let key = next.popLast() {
            for (holder, _) in holders(of: key) {
                parts[holder, default: 0] += 1
                if parts[holder] == 1 { next.append(holder) }
            }
        }
        return parts
    }

    private func holders(of key: ModelKey) -> [(key: ModelKey, handle: ModelIndex.Handle)] {
        registry.withIndex { $0.holders(of: key) }.filter { !open.contains($0.key) }
    }

    static func isOlder<Model: ObservedModel>(_ model: Model, than known: Model) -> Bool {
        guard let time = model.changeTime, let knownTime = known.changeTime else { return false }
        return time < knownTime
    }

    private static func isEqual<Model: ObservedModel>(_ model: Model, _ other: any ObservedModel) -> Bool {
        (other as? Model).map { ContentComparison.same($0, model) } ?? false
    }

    private static func handle<Model: ObservedModel>(of type: Model.Type, _ id: Model.ID) -> ModelIndex.Handle {
        ModelIndex.Handle(
            remove: { states in states.remove(type, id) },
            replace: { inner, states in
                guard let outer = states.model(type, id) else { return nil }
                let new = outer.replacing(inner)
                if !ContentComparison.same(new, outer) { states.put(new) }
                return new
            })
    }
}
