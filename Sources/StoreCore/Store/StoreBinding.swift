public import StateEncoding
internal import JournalFormat

/// Lets code read and write one value of a store without knowing the store.
///
///     let name = store.binding(\.user.name)
///     name.wrappedValue = "Ann"
///
/// It has the shape of SwiftUI's `Binding`, with bindings to its parts (`user.name` of a binding to a user), and works
/// without SwiftUI; with SwiftUI, `Binding(name)` makes one of it. Each set is a commit, recorded with the place where
/// ``Store/binding(_:name:fileID:line:column:function:)`` was called, since a set has no place of its own. In your own
/// code, commit instead: the journal then has that line.
@propertyWrapper
@dynamicMemberLookup
public struct StoreBinding<Value: Sendable>: Sendable {
    private let read: @Sendable () -> Value
    private let write: @Sendable (_ body: (inout Value) -> Void) -> Void

    init(read: @escaping @Sendable () -> Value, write: @escaping @Sendable (_ body: (inout Value) -> Void) -> Void) {
        self.read = read
        self.write = write
    }

    /// The value now; setting it is a commit, even to an equal value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write { $0 = newValue } }
    }

    /// The binding itself.
    public var projectedValue: StoreBinding<Value> { self }

    /// Changes the value in one commit, so that nothing comes between reading and setting it.
    ///
    /// - Parameter body: changes the value. It must not commit to any store: that traps.
    /// - Returns: what the closure returned; nil for a binding of a ``Scope`` whose part is gone.
    @discardableResult
    public func modify<Result>(_ body: (inout Value) -> Result) -> Result? {
        var result: Result?
        write { result = body(&$0) }
        return result
    }

    /// A binding to a part of the value, whose sets are recorded with this one's place.
    public subscript<Part: Sendable>(
        dynamicMember path: any WritableKeyPath<Value, Part> & Sendable
    ) -> StoreBinding<Part> {
        let (read, write) = (read, write)
        return StoreBinding<Part>(
            read: { read()[keyPath: path] },
            write: { body in write { value in body(&value[keyPath: path]) } })
    }
}

extension Store {
    /// A value that can be read and set, whose sets are commits.
    ///
    /// - Parameters:
    ///   - path: what it is of the state.
    ///   - name: the commits' name in the journal; by default the function that this is called in.
    /// - Returns: a binding that holds the store.
    public func binding<Value: Sendable>(
        _ path: any WritableKeyPath<State, Value> & Sendable, name: String? = nil, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function
    ) -> StoreBinding<Value> {
        scope(path).binding(
            named: name, at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }
}

extension Scope {
    /// A value of the part that can be read and set; as ``Store/binding(_:name:fileID:line:column:function:)``.
    public func binding<Value: Sendable>(
        _ path: any WritableKeyPath<Part, Value> & Sendable, name: String? = nil, fileID: StaticString = #fileID,
        line: Int = #line, column: Int = #column, function: StaticString = #function
    ) -> StoreBinding<Value> {
        scope(path).binding(
            named: name, at: CommitLocation(file: fileID, line: line, column: column, function: function))
    }

    fileprivate func binding(named name: String?, at location: CommitLocation) -> StoreBinding<Part> {
        StoreBinding(
            read: { state },
            write: { body in commit(named: name, at: location, body) })
    }
}

#if canImport(SwiftUI)
public import SwiftUI

extension Binding where Value: Sendable {
    /// SwiftUI's binding to a value of a store, whose sets commit inside the transaction that SwiftUI sets them with.
    public init(_ binding: StoreBinding<Value>) {
        self.init(
            get: { binding.wrappedValue },
            set: { value, transaction in withTransaction(transaction) { binding.wrappedValue = value } })
    }
}
#endif

extension StoreBinding: OpaqueToDump {}
