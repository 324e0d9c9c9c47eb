import Synchronization

/// One fault that an app can be run with: where it is, and of which kind.
struct Mutant: Hashable, Comparable, Sendable {
    /// What is wrong.
    enum Kind: String, CaseIterable, Sendable {
        case droppedGuard = "dropped guard"
        case wrongOperand = "wrong operand"
        case staleRead = "stale read"
        case doubleApply = "double apply"
        case missingFilter = "missing filter of a cause"
        case offByOne = "off by one"
        case lostUpdate = "lost update"
        case wrongKey = "wrong key"
        case wrongUnit = "wrong unit"
        case forgottenReset = "forgotten reset"
        case effectOrder = "order of two effects"
    }

    let file: String
    let line: Int
    let column: Int
    let kind: Kind
    /// The function whose commit carries the fault into the state: the answer that is looked for.
    let function: String
    /// Whether it was planted by hand; otherwise it comes from an operator that fits the place.
    let isByHand: Bool

    private var order: (String, Int, Int, String) { (file, line, column, kind.rawValue) }

    static func < (left: Mutant, right: Mutant) -> Bool { left.order < right.order }
}

/// The faults that are switched on, mostly one, and all that could have been.
///
/// An app asks it at every place where a fault can be, and so nothing is built again for another fault.
final class Bugs: Sendable {
    private let active: [Mutant]
    private let seen = Mutex<Set<Mutant>>([])
    private let hits = Mutex(0)
    private let isWaiting = Mutex(false)

    /// An app with some faults, or with none.
    init(_ active: Mutant...) { self.active = active }

    /// The faults that could have been switched on in what was run.
    var sites: Set<Mutant> { seen.withLock { $0 } }

    /// How often the faulty line was executed.
    var executions: Int { hits.withLock { $0 } }

    /// Has the faults do nothing for now, or begin to.
    func wait(_ waits: Bool) { isWaiting.withLock { $0 = waits } }

    // MARK: Operators, at each place that they fit

    /// A condition that is asked before something is done: dropped, it is always true.
    func holds(
        _ condition: Bool, file: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function
    ) -> Bool {
        isOn(.droppedGuard, false, file, line, column, function) || condition
    }

    /// A number: one too many, or in a unit ten times as small.
    func number(
        _ value: Int, file: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function
    ) -> Int {
        if isOn(.offByOne, false, file, line, column, function) { return value + 1 }
        return isOn(.wrongUnit, false, file, line, column, function) ? value * 10 : value
    }

    /// A change: not made, or made twice.
    func change(
        file: String = #fileID, line: Int = #line, column: Int = #column, function: String = #function,
        _ body: () -> Void
    ) {
        if isOn(.lostUpdate, false, file, line, column, function) { return }
        body()
        if isOn(.doubleApply, false, file, line, column, function) { body() }
    }

    // MARK: By hand

    /// What is right, or what somebody in a hurry would have written.
    func planted<Value>(
        _ kind: Mutant.Kind, _ right: @autoclosure () -> Value, _ wrong: @autoclosure () -> Value,
        file: String = #fileID,
        line: Int = #line, column: Int = #column, function: String = #function
    ) -> Value {
        isOn(kind, true, file, line, column, function) ? wrong() : right()
    }

    /// Whether two effects are to be exchanged, or another fault that needs statements.
    func isPlanted(
        _ kind: Mutant.Kind, file: String = #fileID, line: Int = #line, column: Int = #column,
        function: String = #function
    ) -> Bool {
        isOn(kind, true, file, line, column, function)
    }

    private func isOn(
        _ kind: Mutant.Kind, _ isByHand: Bool, _ file: String, _ line: Int, _ column: Int, _ function: String
    ) -> Bool {
        let mutant = Mutant(
            file: file, line: line, column: column, kind: kind, function: function, isByHand: isByHand)
        guard !active.isEmpty else {
            seen.withLock { _ = $0.insert(mutant) }
            return false
        }
        guard active.contains(mutant), !isWaiting.withLock({ $0 }) else { return false }
        hits.withLock { $0 += 1 }
        return true
    }
}
