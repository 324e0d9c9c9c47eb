import JSONCore
package import JournalFormat
package import QueryLanguage

package struct WatchSubject: Sendable {
    /// As it was typed.
    package let text: String
    package let subject: HistorySubject

    package init(_ text: String, _ subject: HistorySubject) {
        self.text = text
        self.subject = subject
    }
}

package enum StopTrigger: Sendable {
    case source(file: String, line: Int?)
    case function(String)
    /// What is watched differs.
    case watch(WatchSubject)
    /// A derived value fired: by its definition, else as the app recorded it.
    case derived(String, Query? = nil)
    /// The app, or a test, said something; only of a level, or for which a query holds, where those are given.
    case mark(MarkCondition? = nil)
    case abort
    /// An invariant no longer holds, or cannot be evaluated any more.
    case violation(Query)

    package var subject: WatchSubject? {
        guard case .watch(let subject) = self else { return nil }
        return subject
    }
}

package struct MarkCondition: Sendable {
    /// Nil for any level.
    package let level: MarkLevel?
    /// What has to hold of an object of the mark's text and level; nil for nothing.
    package let query: Query?

    package init(level: MarkLevel? = nil, query: Query? = nil) {
        self.level = level
        self.query = query
    }

    /// Whether a mark counts; a query that fails of it does not pass it over.
    func isMet(by mark: MarkRecord) -> Bool {
        if let level, mark.level != level { return false }
        guard let query else { return true }
        let facts: JSONValue = [
            "text": .string(mark.text), "level": mark.level.map { .string($0.rawValue) } ?? .null,
        ]
        return Condition(bad: query).verdict(on: facts, context: QueryContext(seq: mark.seq.rawValue)) != .good
    }
}

package struct HitCondition: Sendable, Equatable {
    private enum CountTest: String, CaseIterable {
        case equal = "=="
        case atLeast = ">="
        case above = ">"
        case below = "<"
    }

    private let comparison: CountTest
    private let count: Int

    /// Reads `3`, the third alone, or a number after `==`, `>=`, `>` or `<`; nil where the text is none of these.
    package init?(parsing text: String) {
        var rest = text.drop(while: \.isWhitespace)
        let comparison = CountTest.allCases.first { UTF8Order.begins(rest, with: $0.rawValue) }
        rest = rest.dropFirst(comparison?.rawValue.count ?? 0).drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        guard let count = Int(rest), count >= 0 else { return nil }
        self.comparison = comparison ?? .equal
        self.count = count
    }

    /// Hits are counted from 1.
    package func includes(_ hit: Int) -> Bool {
        switch comparison {
        case .equal: hit == count
        case .atLeast: hit >= count
        case .above: hit > count
        case .below: hit < count
        }
    }
}

/// A stop of a session: a breakpoint, a watchpoint or a catchpoint.
package struct SessionBreakpoint: Sendable {
    /// The stop's number, from 1, never given twice; 0 until the session has it.
    package internal(set) var id = 0
    package let trigger: StopTrigger
    /// The stop counts only where this holds of the state; nil for always.
    package var condition: Query?
    /// Whether it is gone after it has stopped once.
    package let isTemporary: Bool
    package internal(set) var isEnabled = true
    /// How often it is passed before it counts.
    package internal(set) var ignoreCount = 0
    /// How often it was met, passed or not.
    package internal(set) var hitCount = 0
    /// Which of its hits count; nil for all.
    package var hits: HitCondition?
    /// What is asked at each hit that counts, and reported in place of a stop; nil for a stop.
    package var log: [Query]?

    package init(_ trigger: StopTrigger, condition: Query? = nil, isTemporary: Bool = false) {
        self.trigger = trigger
        self.condition = condition
        self.isTemporary = isTemporary
    }
}

package struct SessionDisplay: Sendable {
    /// The display's number, from 1, never given twice.
    package let id: Int
    /// What is shown: its first output.
    package let query: Query
}
