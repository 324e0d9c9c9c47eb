internal import Synchronization

/// One redaction as it was asked for, and what came of it: whether it ever matched.
///
/// An object, because patterns are taken apart on the way down, and each rest has to know what it is a rest of.
package final class RedactionEntry: Hashable, Sendable {
    /// The redaction in words, for reports.
    package let text: String
    /// Whether it is reported when it never matched.
    package let isRequired: Bool
    private let matched = Atomic(false)
    private let hidden = Atomic(false)

    package init(_ text: String, isRequired: Bool = true) {
        self.text = text
        self.isRequired = isRequired
    }

    /// Whether it hid a secret; a nil is not one, so where the next will be met is not known yet.
    package var hasHidden: Bool { hidden.load(ordering: .relaxed) }

    package func recordHidden() { hidden.store(true, ordering: .relaxed) }

    /// Whether something was hidden for it.
    package var isMatched: Bool { matched.load(ordering: .relaxed) }

    package func recordMatch() { matched.store(true, ordering: .relaxed) }

    package static func == (left: RedactionEntry, right: RedactionEntry) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
