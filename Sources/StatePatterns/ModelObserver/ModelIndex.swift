internal import StoreCore
internal import Synchronization

/// What a ``ModelObserver`` knows besides the models: their observers, and which models lie within which.
///
/// Not part of the state: commits change it in their order, and so do observers that come and go.
struct ModelIndex: Sendable {
    /// Passes a delivery to one observer.
    struct Observer: Sendable {
        let number: Int
        let notify: @Sendable (Changes<ModelStates>) -> Void
    }

    /// What can be done to a known model without knowing its type.
    struct Handle: Sendable {
        let remove: @Sendable (inout ModelStates) -> Void
        /// Replaces a model within it, and returns the result; nil if it is not there any more.
        let replace: @Sendable (any ObservedModel, inout ModelStates) -> (any ObservedModel)?
    }

    private var observers: [ModelKey: [Observer]] = [:]
    private var count = 0
    private var handles: [ModelKey: Handle] = [:]
    /// The models that lie directly within each, and the other way round.
    private var inner: [ModelKey: [ModelKey]] = [:]
    private var outer: [ModelKey: [ModelKey]] = [:]
    /// The models that an observer, a derived value, a view or another model holds, and the order of the others.
    private var kept = KeptKeys<ModelKey>()

    // MARK: Observers

    /// The observers of a model, in the order in which they came.
    func observers(of key: ModelKey) -> [Observer] { observers[key] ?? [] }

    /// - Returns: the number that removes it.
    mutating func add(_ notify: @escaping @Sendable (Changes<ModelStates>) -> Void, to key: ModelKey) -> Int {
        count += 1
        observers[key, default: []].append(Observer(number: count, notify: notify))
        hold(key)
        return count
    }

    /// - Returns: the removed observer, to be released outside the caller's lock.
    /// - Complexity: O(log *n*) in the observers of the model, and one move in memory of those that came later.
    mutating func remove(_ number: Int, of key: ModelKey) -> Observer? {
        guard let place = observers[key]?.place(of: number) else { return nil }
        let removed = observers[key]?.remove(at: place)
        if observers[key]?.isEmpty == true { observers[key] = nil }
        release(key)
        return removed
    }

    // MARK: What lies within what

    /// The models that hold one directly, and how to replace it there.
    func holders(of key: ModelKey) -> [(key: ModelKey, handle: Handle)] {
        (outer[key] ?? []).compactMap { holder in handles[holder].map { (holder, $0) } }
    }

    /// Adds a model that is in the state now, with the keys of what lies within it, each once.
    mutating func register(_ key: ModelKey, holding nested: [ModelKey], _ handle: Handle) {
        let isNew = handles.updateValue(handle, forKey: key) == nil
        let before = inner[key] ?? []
        if before != nested {
            for other in nested {
                outer[other, default: []].append(key)
                hold(other)
            }
            release(before, from: key)
            inner[key] = nested.isEmpty ? nil : nested
        }
        if isNew { kept.retire(key) }
    }

    private mutating func release(_ nested: [ModelKey], from key: ModelKey) {
        for other in nested {
            guard var holders = outer[other], let place = holders.firstIndex(of: key) else { continue }
            holders.remove(at: place)
            outer[other] = holders.isEmpty ? nil : holders
            release(other)
        }
    }

    // MARK: Models that nothing holds

    /// Keeps a model, known or not, until it is released as often.
    mutating func hold(_ key: ModelKey) { kept.hold(key) }

    mutating func release(_ key: ModelKey) { if kept.release(key), handles[key] != nil { kept.retire(key) } }

    mutating func releaseRead(_ key: ModelKey) { kept.releaseRead(key) }

    /// Removes the models beyond a limit that nothing holds, those that were unneeded for the longest time first.
    mutating func drop(from states: inout ModelStates, keeping limit: Int) {
        while let key = kept.popJustRead(beyond: limit) { if handles[key] != nil { kept.retire(key) } }
        while let key = kept.popIdle(beyond: limit) {
            guard let handle = handles.removeValue(forKey: key) else { continue }
            handle.remove(&states)
            states.markDropped(key)
            release(inner.removeValue(forKey: key) ?? [], from: key)
        }
    }
}

extension [ModelIndex.Observer] {
    /// The place of the observer with a number, in a list in ascending order of numbers.
    fileprivate func place(of number: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].number == number ? low : nil
    }
}

/// The index under a lock, shared by an observer's store and its subscriptions.
final class ModelRegistry: Sendable {
    private let index = Mutex(ModelIndex())

    func withIndex<Result: Sendable>(_ body: (inout ModelIndex) -> Result) -> Result { index.withLock { body(&$0) } }

    /// Keeps a model for a derived value, which holds the result.
    func hold(_ key: ModelKey) -> Subscription {
        withIndex { $0.hold(key) }
        return Subscription { [weak self] in self?.withIndex { $0.release(key) } }
    }

    /// Keeps a model for a view, whose tracked read holds the result.
    ///
    /// The read ends under a lock of the Observation framework, so this only counts.
    func holdRead(_ key: ModelKey) -> Subscription {
        withIndex { $0.hold(key) }
        return Subscription { [weak self] in self?.withIndex { $0.releaseRead(key) } }
    }

    func deliver(_ changes: Changes<ModelStates>) {
        for key in changes.current.touched {
            for observer in withIndex({ $0.observers(of: key) }) { observer.notify(changes) }
        }
    }
}
