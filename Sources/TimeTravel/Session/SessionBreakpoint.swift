package import QueryLanguage

/// What a watch follows.
package struct WatchSubject: Sendable {
    /// As it was typed.
    package let text: String
    /// What it means.
    package let subject: HistorySubject

    /// A path, maybe with wildcards, or a query.
    package init(_ text: String, _ subject: HistorySubject) {
        self.text = text
        self.subject = subject
    }
}

/// What stops a session.
package enum StopTrigger: Sendable {
    /// A commit made in a source file, or on a line of it.
    case source(file: String, line: Int?)
    /// A commit made in a function.
    case function(String)
    /// What is watched differs.
    case watch(WatchSubject)
    /// A derived value fired: by its definition, else as the app recorded it.
    case derived(String, Query? = nil)
    /// The app, or a test, said something.
    case mark
    /// A commit's closure threw.
    case abort
    /// An invariant no longer holds, or cannot be evaluated any more.
    case violation(Query)

    /// What a watch follows; nil for all others.
    package var subject: WatchSubject? {
        guard case .watch(let subject) = self else { return nil }
        return subject
    }
}

/// A stop that is to be set.
package struct StopSpecification: Sendable {
    /// What stops.
    package var trigger: StopTrigger
    /// The stop counts only where this holds of the state; nil for always.
    package var condition: Query?
    /// Whether it is gone after it has stopped once.
    package var isTemporary: Bool

    /// A stop.
    package init(_ trigger: StopTrigger, condition: Query? = nil, isTemporary: Bool = false) {
        self.trigger = trigger
        self.condition = condition
        self.isTemporary = isTemporary
    }
}

/// A stop of a session: a breakpoint, a watchpoint or a catchpoint.
package struct SessionBreakpoint: Sendable {
    /// The stop's number, from 1, never given twice.
    package let id: Int
    /// What stops.
    package let trigger: StopTrigger
    /// Whether it is gone after it has stopped once.
    package let isTemporary: Bool
    /// The stop counts only where this holds of the state; nil for always.
    package internal(set) var condition: Query?
    /// Whether it counts at all for now.
    package internal(set) var isEnabled = true
    /// How often it is passed before it counts.
    package internal(set) var ignoreCount = 0
    /// How often it was met, passed or not.
    package internal(set) var hitCount = 0

    init(id: Int, _ specification: StopSpecification) {
        self.id = id
        trigger = specification.trigger
        condition = specification.condition
        isTemporary = specification.isTemporary
    }
}

/// A query that is shown at every stop.
package struct SessionDisplay: Sendable {
    /// The display's number, from 1, never given twice.
    package let id: Int
    /// What is shown: its first output.
    package let query: Query
}
