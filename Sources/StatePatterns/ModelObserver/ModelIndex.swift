internal import StoreCore
internal import Synchronization

/// What a ``ModelObserver`` knows beside the models: who observes them, and which lie within which.
///
/// Not part of the state: it is changed by the commits in their order, and by observers that come and go.
struct ModelIndex: Sendable {
    /// Tells one observer of a delivery.
    struct Observer: Sendable {
        let number: Int
        let notify: @Sendable (Changes<ModelStates>) -> Void
    }

    /// What can be done to a known model by who does not know its type.
    struct Handle: Sendable {
        let remove: @Sendable (inout ModelStates) -> Void
        /// Replaces a model within it, and gives what it is then; nil where it is gone.
        let replace: @Sendable (any ObservedModel, inout ModelStates) -> (any ObservedModel)?
    }

    private var observers: [ModelKey: [Observer]] = [:]
    private var count = 0
    private var handles: [ModelKey: Handle] = [:]
    /// The models that lie directly within each, and the other way round.
    private var inner: [ModelKey: [ModelKey]] = [:]
    private var outer: [ModelKey: [ModelKey]] = [:]
    /// The models that nobody observes or holds.
    private var unneeded = LRUOrder<ModelKey>()

    // MARK: Observers

    /// The observers of a model, in the order in which they came.
    func observers(of key: ModelKey) -> [Observer] { observers[key] ?? [] }

    /// Adds an observer.
    ///
    /// - Returns: what it is removed by.
    mutating func add(_ notify: @escaping @Sendable (Changes<ModelStates>) -> Void, to key: ModelKey) -> Int {
        count += 1
        observers[key, default: []].append(Observer(number: count, notify: notify))
        unneeded.remove(key)
        return count
    }

    /// Removes an observer.
    ///
    /// - Returns: what was there, so that it goes away outside the lock of the caller.
    /// - Complexity: O(log *n*) of the observers of the model, and one move in memory of those that came later.
    mutating func remove(_ number: Int, of key: ModelKey) -> Observer? {
        guard let place = observers[key]?.place(of: number) else { return nil }
        let removed = observers[key]?.remove(at: place)
        if observers[key]?.isEmpty == true {
            observers[key] = nil
            retireIfUnneeded(key)
        }
        return removed
    }

    // MARK: What lies within what

    /// The models that hold one directly, and how to replace it there.
    func holders(of key: ModelKey) -> [(key: ModelKey, handle: Handle)] {
        (outer[key] ?? []).compactMap { holder in handles[holder].map { (holder, $0) } }
    }

    /// Notes a model that is in the state now, with the keys of what lies within it, each once.
    mutating func register(_ key: ModelKey, holding nested: [ModelKey], _ handle: Handle) {
        let isNew = handles.updateValue(handle, forKey: key) == nil
        let before = inner[key] ?? []
        if before != nested {
            for other in nested {
                outer[other, default: []].append(key)
                unneeded.remove(other)
            }
            release(before, from: key)
            inner[key] = nested.isEmpty ? nil : nested
        }
        if isNew { retireIfUnneeded(key) }
    }

    private mutating func release(_ nested: [ModelKey], from key: ModelKey) {
        for other in nested {
            guard var holders = outer[other], let place = holders.firstIndex(of: key) else { continue }
            holders.remove(at: place)
            outer[other] = holders.isEmpty ? nil : holders
            retireIfUnneeded(other)
        }
    }

    // MARK: What nobody needs

    private func isNeeded(_ key: ModelKey) -> Bool { observers[key] != nil || outer[key] != nil }

    private mutating func retireIfUnneeded(_ key: ModelKey) {
        if !isNeeded(key), handles[key] != nil { unneeded.append(key) }
    }

    /// Removes the models that were not observed, or held by another one, for the longest time, but for so many of them.
    mutating func drop(from states: inout ModelStates, keeping limit: Int) {
        while unneeded.count > limit, let key = unneeded.popFirst() {
            guard let handle = handles.removeValue(forKey: key) else { continue }
            handle.remove(&states)
            release(inner.removeValue(forKey: key) ?? [], from: key)
        }
    }
}

extension [ModelIndex.Observer] {
    /// Where the observer with a number is, in a list in the order of the numbers.
    fileprivate func place(of number: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].number == number ? low : nil
    }
}

/// The index under its lock, shared by an observer's store and its subscriptions.
final class ModelRegistry: Sendable {
    private let index = Mutex(ModelIndex())

    func withIndex<Result: Sendable>(_ body: (inout ModelIndex) -> Result) -> Result { index.withLock { body(&$0) } }

    /// Tells the observers of what a commit touched.
    func deliver(_ changes: Changes<ModelStates>) {
        for key in changes.current.touched {
            for observer in withIndex({ $0.observers(of: key) }) { observer.notify(changes) }
        }
    }
}
