internal import Synchronization

/// A sink, and the version that it starts from, as they come out of a graph's lock.
final class AddedSink<Value: Sendable>: Sendable {
    private let added = Mutex<(sink: Sink<Value>, node: StateNode<Value>)?>(nil)

    func set(_ sink: Sink<Value>, at node: StateNode<Value>) { added.withLock { $0 = (sink, node) } }

    func get() -> (sink: Sink<Value>, node: StateNode<Value>)? { added.withLock(\.self) }
}
