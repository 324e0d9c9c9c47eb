import StateStore
import TestSupport

/// A form with several inputs of one name: taking one off clears the errors that belong to all of them.
///
/// The form counts as valid, and is sent with what the rules forbid.
final class FieldErrors: RealBug {
    static let name = "field errors"
    static let report = "https://github.com/redux-form/redux-form/issues/2979"
    static let fix = "https://github.com/redux-form/redux-form/pull/3064"
    static let invariants = [".orders.refused == 0"]

    struct Inputs: Encodable, Equatable, Sendable { var count: [String: Int] = [:] }
    struct Values: Encodable, Equatable, Sendable { var numbers: [String: Int] = [:] }
    struct Errors: Encodable, Equatable, Sendable {
        var texts: [String: String] = [:]
        var checks = 0
    }
    struct Form: Encodable, Equatable, Sendable {
        var isOpen = false
        var rows = 1
    }
    struct Help: Encodable, Equatable, Sendable { var topic: String? }
    struct Orders: Encodable, Equatable, Sendable {
        var accepted = 0
        var refused = 0
    }

    let bugs: Bugs
    let inputs: Store<Inputs>
    let values: Store<Values>
    let errors: Store<Errors>
    let form: Store<Form>
    let help: Store<Help>
    let orders: Store<Orders>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        inputs = Store(Inputs(), name: "inputs", recorder: recorder)
        values = Store(Values(), name: "values", recorder: recorder)
        errors = Store(Errors(), name: "errors", recorder: recorder)
        form = Store(Form(), name: "form", recorder: recorder)
        help = Store(Help(), name: "help", recorder: recorder)
        orders = Store(Orders(), name: "orders", recorder: recorder)
    }

    func open() { form.commit { $0.isOpen = true } }
    func close() { form.commit { $0.isOpen = false } }
    func setRows(_ rows: Int) { form.commit { $0.rows = rows } }

    func register(_ name: String) {
        inputs.commit { $0.count[name, default: 0] += 1 }
        validate(name)
    }

    func unregister(_ name: String) {
        guard let count = inputs.state.count[name] else { return }
        inputs.commit { $0.count[name] = count > 1 ? count - 1 : nil }
        clearError(name, left: count - 1)
        if count == 1 { clearValue(name) }
    }

    func clearError(_ name: String, left: Int) {
        guard errors.state.texts[name] != nil else { return }
        guard bugs.planted(.droppedGuard, left <= 0, true) else { return }
        errors.commit { $0.texts[name] = nil }
    }

    func clearValue(_ name: String) { values.commit { $0.numbers[name] = nil } }

    func type(_ name: String, _ number: Int) {
        guard inputs.state.count[name] != nil else { return }
        values.commit { $0.numbers[name] = number }
        validate(name)
    }

    private func isForbidden(_ name: String) -> Bool { (values.state.numbers[name] ?? 1) < 1 }

    func validate(_ name: String) {
        errors.commit { errors in
            errors.checks += 1
            errors.texts[name] = isForbidden(name) ? "too small" : nil
        }
    }

    func explain(_ topic: String) { help.commit { $0.topic = topic } }
    func hide() { help.commit { $0.topic = nil } }

    func submit() {
        guard errors.state.texts.isEmpty else { return explain("errors") }
        let isWrong = inputs.state.count.keys.contains { isForbidden($0) }
        orders.commit { orders in
            if isWrong { orders.refused += 1 } else { orders.accepted += 1 }
        }
    }

    func act(_ random: inout SeededGenerator) {
        let name = ["amount", "floor", "boxes"][below(3, &random)]
        switch below(24, &random) {
        case 0...5: register(name)
        case 6...9: unregister(name)
        case 10...13: type(name, 1 + below(9, &random))
        case 14: type(name, -below(3, &random))
        case 15: open()
        case 16: close()
        case 17: setRows(1 + below(4, &random))
        case 18, 19: explain(name)
        case 20: hide()
        default: submit()
        }
    }

    func closeDay() { submit() }
}
