import StateStore
import TestSupport

/// A machine with a delayed transition of two branches: a timer is started for each branch, and leaving stops only one of them.
///
/// The second fires later, in a state that has nothing to do with it.
final class BranchTimers: RealBug {
    static let name = "branch timers"
    static let report = "https://github.com/statelyai/xstate/issues/886"
    static let fix = "https://github.com/statelyai/xstate/pull/888"
    static let invariants = [".log.expired <= .log.entered"]

    struct Machine: Encodable, Equatable, Sendable {
        var state = "idle"
        var attempts = 0
    }
    struct Timer: Encodable, Equatable, Sendable {
        let id: String
        let at: Int
    }
    struct Clock: Encodable, Equatable, Sendable {
        var now = 0
        var timers: [Timer] = []
    }
    struct Input: Encodable, Equatable, Sendable {
        var text = ""
        var isValid = false
    }
    struct Account: Encodable, Equatable, Sendable {
        var isLocked = false
        var signIns = 0
    }
    struct Log: Encodable, Equatable, Sendable {
        var entered = 0
        var expired = 0
    }

    let bugs: Bugs
    let machine: Store<Machine>
    let clock: Store<Clock>
    let input: Store<Input>
    let account: Store<Account>
    let log: Store<Log>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        machine = Store(Machine(), name: "machine", recorder: recorder)
        clock = Store(Clock(), name: "clock", recorder: recorder)
        input = Store(Input(), name: "input", recorder: recorder)
        account = Store(Account(), name: "account", recorder: recorder)
        log = Store(Log(), name: "log", recorder: recorder)
    }

    func enter(_ state: String) {
        leave()
        machine.commit { $0.state = state }
        if state == "waiting" {
            log.commit { $0.entered += 1 }
            schedule("waiting", branches: ["retry", "give up"])
        }
    }

    func leave() {
        guard machine.state.state == "waiting" else { return }
        cancel("waiting")
    }

    func schedule(_ id: String, branches: [String]) {
        clock.commit { clock in
            let count = bugs.planted(.doubleApply, 1, branches.count)
            for _ in 0..<count { clock.timers.append(Timer(id: id, at: clock.now + 15)) }
        }
    }

    func cancel(_ id: String) {
        clock.commit { clock in
            guard let index = clock.timers.firstIndex(where: { $0.id == id }) else { return }
            clock.timers.remove(at: index)
        }
    }

    func tick(_ seconds: Int) {
        clock.commit { $0.now += seconds }
        while let due = clock.state.timers.first(where: { $0.at <= clock.state.now }) { fire(due) }
    }

    func fire(_ timer: Timer) {
        clock.commit { clock in
            if let index = clock.timers.firstIndex(of: timer) { clock.timers.remove(at: index) }
        }
        log.commit { $0.expired += 1 }
        machine.commit { machine in
            machine.attempts += 1
            machine.state = machine.attempts % 3 == 0 ? "idle" : "failed"
        }
    }

    func type(_ text: String) { input.commit { $0.text = text } }
    func check() { input.commit { $0.isValid = $0.text.count > 1 } }
    func clear() { input.commit { $0 = Input() } }

    func submit() {
        guard input.state.isValid, !account.state.isLocked else { return }
        enter("waiting")
    }

    func succeed() {
        guard machine.state.state == "waiting" else { return }
        enter("done")
        account.commit { $0.signIns += 1 }
        clear()
    }

    func lock() { account.commit { $0.isLocked = true } }
    func unlock() { account.commit { $0.isLocked = false } }
    func reset() { enter("idle") }

    func act(_ random: inout SeededGenerator) {
        switch below(20, &random) {
        case 0...2: type(below(3, &random) == 0 ? "x" : "x\(below(90, &random))")
        case 3...5: check()
        case 6...9: submit()
        case 10...12: succeed()
        case 13...15: tick(2 + below(6, &random))
        case 16: if below(3, &random) == 0 { lock() }
        case 17: if account.state.isLocked { unlock() }
        case 18: reset()
        default: if below(3, &random) == 0 { tick(20) }
        }
    }

    func closeDay() { tick(60) }
}
