/// A place where a state differs from the one before it.
package struct ChangedPlace: Sendable {
    package enum Change: Sendable {
        /// The value differs, came or went.
        case value
        /// An element came, and those after it moved on.
        case insertion
        /// An element went, and those after it moved up.
        case removal
    }

    /// A JSON pointer without escapes, from the root of the state; of an element that came or went, its index then.
    package let pointer: [UInt8]
    package let change: Change

    package init(_ pointer: [UInt8], _ change: Change = .value) {
        self.pointer = pointer
        self.change = change
    }
}
