internal import Synchronization

/// An object that is made when it is first needed, by any thread.
///
/// Not an `AtomicLazyReference`: its functions are not inlined, and ask the runtime for types, which costs as much as a commit.
@safe
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The bits of a counted reference; 0 where there is none.
    private let bits = Atomic<UInt>(0)

    deinit { unsafe LazyReference.known(bits.load(ordering: .relaxed))?.release() }

    var object: Object? { unsafe LazyReference.known(bits.load(ordering: .acquiring))?.takeUnretainedValue() }

    /// - Returns: the object that came first.
    @discardableResult
    func add(_ object: Object) -> Object {
        let new = unsafe Unmanaged.passRetained(object)
        let (isFirst, first) = unsafe bits.compareExchange(
            expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
        if isFirst { return object }
        unsafe new.release()
        return unsafe LazyReference.known(first)?.takeUnretainedValue() ?? object
    }

    /// Runs a closure with the object, which is not counted: it stays as long as this does.
    func withObject<Result>(_ make: @autoclosure () -> Object, _ body: (Object) -> Result) -> Result {
        let known = unsafe LazyReference.known(bits.load(ordering: .acquiring)) ?? .passUnretained(add(make()))
        return unsafe known._withUnsafeGuaranteedRef(body)
    }

    private static func known(_ bits: UInt) -> Unmanaged<Object>? {
        unsafe UnsafeRawPointer(bitPattern: bits).map { unsafe Unmanaged.fromOpaque($0) }
    }
}
