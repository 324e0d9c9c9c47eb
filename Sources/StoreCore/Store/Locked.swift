public import StateEncoding
internal import Synchronization

/// A variable that several threads may read and change, outside any store.
///
///     @Locked var hits = 0
///     $hits.modify { $0 += 1 }
///
/// Reading and setting are one step each; `hits += 1` is two, between which another thread may set it. ``modify(_:)``
/// is one. A class, so that all holders share one variable. In a `Sendable` class, where Swift takes no `var`, declare
/// `let hits = Locked(0)`.
///
/// It is for values that are not state of the app: counts, caches, flags. A value that may have to be replayed belongs
/// in a ``Store``.
@propertyWrapper
public final class Locked<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    /// Makes a variable with a first value.
    public init(wrappedValue: Value) { value = Mutex(wrappedValue) }

    /// Makes a variable with a first value, where it is no property wrapper.
    public convenience init(_ value: Value) { self.init(wrappedValue: value) }

    /// The value; reading it is one step, and so is setting it.
    public var wrappedValue: Value {
        get { value.withLock(\.self) }
        set {
            // The old value is released outside the lock: its deinitializers may use this variable again.
            var old = newValue
            value.withLock { swap(&$0, &old) }
        }
    }

    /// The variable itself, for ``modify(_:)``.
    public var projectedValue: Locked<Value> { self }

    /// Reads, changes and sets the value in one step.
    ///
    /// - Parameter body: changes the value, under a lock: it must be short and not come here again.
    /// - Returns: what the closure returned.
    /// - Throws: what the closure throws; what it changed until then stays.
    @discardableResult
    public func modify<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try value.withLock { value throws(Failure) in try body(&value) }
    }
}

extension Locked: OpaqueToDump {}
