public import JSONCore

/// Where `input`, `inputs` and `input_filename` take their values from, which only a query on plain JSON has.
public struct QueryInputs: Sendable {
    /// What comes next.
    public enum Next: Sendable {
        case value(JSONValue)
        /// There is no more.
        case end
        /// What comes next cannot be read, which ends the evaluation: ``QueryError/unreadInput``.
        case unreadable
    }

    let next: @Sendable () -> Next
    let name: @Sendable () -> String?

    /// Inputs of a reader.
    ///
    /// - Parameters:
    ///   - next: takes the next value.
    ///   - name: what the file of the last value is called; nil before the first.
    public init(next: @escaping @Sendable () -> Next, name: @escaping @Sendable () -> String?) {
        self.next = next
        self.name = name
    }
}
