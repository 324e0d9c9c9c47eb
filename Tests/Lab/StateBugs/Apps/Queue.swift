import StateStore
import Synchronization
import TestSupport

/// A server of tasks: tenants submit jobs, workers take them under a lease, timers retry and give up, and time is charged.
final class Queue: Subject, Sendable {
    static let name = "queue"
    static let invariants = [
        "[.quota.used[] | . >= 0] | all", ".workers.idle >= 0", "(.clock.timers | length) <= 60", ".report.lost == 0",
        ".report.double == 0", ".report.quota == 0", ".report.idle == 0", ".report.bills == 0", ".report.timers == 0",
        ".report.counts == 0", ".report.seconds == 0", ".report.late == 0",
        ".report.wrong == 0",
    ]
    static let leaseSeconds = 60
    static let most = 3

    let bugs: Bugs
    let jobs: Store<QueueState.Jobs>
    let ready: Store<QueueState.Ready>
    let workers: Store<QueueState.Workers>
    let clock: Store<QueueState.Clock>
    let quota: Store<QueueState.Quota>
    let bills: Store<QueueState.Bills>
    let results: Store<QueueState.Results>
    let metrics: Store<QueueState.Metrics>
    let report: Store<QueueState.Report>
    private let links = Mutex<[Subscription]>([])

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        let crew = Dictionary(uniqueKeysWithValues: ["ann", "ben", "cat"].map { ($0, QueueState.Worker()) })
        jobs = Store(QueueState.Jobs(), name: "jobs", recorder: recorder)
        ready = Store(QueueState.Ready(), name: "ready", recorder: recorder)
        workers = Store(QueueState.Workers(known: crew, idle: 3), name: "workers", recorder: recorder)
        clock = Store(QueueState.Clock(), name: "clock", recorder: recorder)
        quota = Store(QueueState.Quota(), name: "quota", recorder: recorder)
        bills = Store(QueueState.Bills(), name: "bills", recorder: recorder)
        results = Store(QueueState.Results(), name: "results", recorder: recorder)
        metrics = Store(QueueState.Metrics(), name: "metrics", recorder: recorder)
        report = Store(QueueState.Report(), name: "report", recorder: recorder)
        links.withLock { $0 = [linkResults(), linkClock()] }
    }

    private func job(_ id: String) -> QueueState.Job? { jobs.state.known[id] }

    // MARK: What follows from what

    /// A job that ended frees its place in the quota.
    private func linkResults() -> Subscription {
        results.subscribe(initially: false) { [unowned self] change in
            let before = change.previous?.current ?? QueueState.Results()
            if change.current.good.count > before.good.count, let id = change.current.good.last { count(id) }
            let isCancelled = change.current.cancelled.count > before.cancelled.count
            let isRefunded = bugs.planted(
                .missingFilter, isCancelled, !change.current.cancelled.isEmpty, function: "refund(_:)")
            if isRefunded, let id = change.current.cancelled.last { refund(id) }
            let isFailed = change.current.failed.count > before.failed.count
            if isFailed, bugs.isPlanted(.missingFilter, function: "count(_:)"), let id = change.current.failed.last {
                count(id)
            }
            if isFailed, bugs.isPlanted(.missingFilter, function: "refund(_:)"), let id = change.current.failed.last {
                refund(id)
            }
            if let id = Self.added(change.current, before) { free(id) }
        }
    }

    private static func added(_ now: QueueState.Results, _ before: QueueState.Results) -> String? {
        if now.good.count > before.good.count { return now.good.last }
        if now.failed.count > before.failed.count { return now.failed.last }
        return now.cancelled.count > before.cancelled.count ? now.cancelled.last : nil
    }

    /// Timers that are due when the clock moves.
    private func linkClock() -> Subscription {
        clock.subscribe(initially: false) { [unowned self] change in
            let now = change.current.now
            guard bugs.planted(.missingFilter, now != change.previous?.current.now, true, function: "disarm(_:_:)")
            else {
                return
            }
            let due = bugs.planted(.wrongUnit, now, now * 2, function: "disarm(_:_:)")
            for timer in change.current.timers where timer.at <= due {
                timer.kind == "lease" ? expire(timer) : retry(timer)
            }
        }
    }

    // MARK: Submitting

    func submit(_ tenant: String, size: Int, urgent: Bool) {
        let used = quota.state.used[tenant] ?? 0
        let limit = quota.state.limit[bugs.planted(.wrongKey, tenant, "blue", function: "take(_:)")] ?? 0
        guard bugs.holds(used < limit) else { return }
        let id = "j\(jobs.state.next)"
        jobs.commit { jobs in
            jobs.known[id] = QueueState.Job(tenant: tenant, size: bugs.number(size))
            bugs.change { jobs.next += 1 }
        }
        take(tenant)
        enqueue(id, urgent: urgent)
        metrics.commit { metrics in
            if urgent, bugs.isPlanted(.lostUpdate) { return }
            bugs.change { metrics.submitted += 1 }
        }
    }

    func take(_ tenant: String) {
        quota.commit { quota in
            if quota.used[tenant] == 2, bugs.isPlanted(.doubleApply) { quota.used[tenant] = 3 }
            if quota.used["blue"] == 4, bugs.isPlanted(.staleRead) { quota.used["blue"] = 3 }
            bugs.change { quota.used[bugs.planted(.wrongKey, tenant, "red"), default: 0] += bugs.number(1) }
        }
    }

    func enqueue(_ id: String, urgent: Bool) {
        ready.commit { ready in
            guard bugs.holds(!ready.urgent.contains(id) && !ready.normal.contains(id)) else { return }
            if urgent, ready.urgent.count > 1, bugs.isPlanted(.forgottenReset) { ready.urgent = [] }
            if urgent, ready.normal.count == 1, bugs.isPlanted(.doubleApply) { ready.normal.append(id) }
            if bugs.planted(.wrongOperand, urgent, false) {
                bugs.change { ready.urgent.append(id) }
            } else {
                bugs.change { ready.normal.append(id) }
            }
        }
    }

    // MARK: Working

    func assign(_ name: String) {
        let ids = ready.state.urgent + bugs.planted(.effectOrder, ready.state.normal, ready.state.normal.reversed())
        guard let id = ids.first, let job = job(id) else { return }
        guard bugs.holds(workers.state.known[name]?.job == nil) else { return }
        dequeue(id)
        begin(id, name)
        occupy(name, id)
        arm(
            bugs.planted(.wrongKey, id, jobs.state.known.keys.sorted().first ?? id, function: "arm(_:_:_:)"), "lease",
            Self.leaseSeconds + job.size)
    }

    func dequeue(_ id: String) {
        ready.commit { ready in
            if ready.urgent.contains(id), bugs.isPlanted(.wrongKey) { _ = ready.normal.popLast() }
            if ready.urgent.count > 1, bugs.isPlanted(.wrongOperand) { ready.urgent = [] }
            bugs.change { ready.urgent.removeAll { $0 == id } }
            if bugs.isPlanted(.lostUpdate), ready.normal.count > 2 { return }
            ready.normal.removeAll { $0 == id }
        }
    }

    func begin(_ id: String, _ name: String) {
        jobs.commit { jobs in
            if jobs.known[id]?.attempts == 1, bugs.isPlanted(.lostUpdate) { return }
            jobs.known[id]?.state = "running"
            let worker = bugs.planted(.staleRead, name, jobs.known[id]?.worker ?? name)
            jobs.known[id]?.worker = worker
            let started = bugs.planted(.staleRead, clock.state.now, jobs.known[id]?.started ?? 0)
            jobs.known[id]?.started = started
            bugs.change { jobs.known[id]?.attempts += bugs.number(1) }
        }
    }

    func occupy(_ name: String, _ id: String) {
        workers.commit { workers in
            workers.known[name]?.job = id
            if workers.idle == 1, bugs.isPlanted(.offByOne) { workers.idle = 2 }
            bugs.change { workers.idle -= bugs.number(1) }
            workers.known[name]?.lease = bugs.planted(
                .wrongUnit, clock.state.now + Self.leaseSeconds, Self.leaseSeconds)
        }
    }

    func vacate(_ name: String?) {
        workers.commit { workers in
            guard let name, bugs.holds(workers.known[name]?.job != nil) else { return }
            let job = bugs.planted(.forgottenReset, nil, workers.known[name]?.job)
            if workers.idle == 2, bugs.isPlanted(.staleRead) { workers.idle = 1 }
            workers.known[name]?.job = job
            bugs.change { workers.idle += bugs.planted(.offByOne, 1, min(workers.idle + 1, 2)) }
            let lease = bugs.planted(.forgottenReset, 0, workers.known[name]?.lease ?? 0)
            workers.known[name]?.lease = lease
        }
    }

    /// A worker is done with its job, well or not.
    func finish(_ name: String, well: Bool) {
        guard let id = workers.state.known[name]?.job, let job = job(id), bugs.holds(job.state == "running") else {
            return
        }
        spend(id)
        if ready.state.urgent.isEmpty || !bugs.isPlanted(.forgottenReset, function: "disarm(_:_:)") {
            disarm(id, "lease")
        }
        let isKept = bugs.isPlanted(.staleRead, function: "vacate(_:)") && !ready.state.urgent.isEmpty
        vacate(isKept ? nil : name)
        if well { succeed(id) } else { fail(id) }
    }

    func spend(_ id: String) {
        jobs.commit { jobs in
            let isAgain = (jobs.known[id]?.attempts ?? 0) > 1
            let started = bugs.planted(
                .staleRead, jobs.known[id]?.started ?? 0, isAgain ? 0 : jobs.known[id]?.started ?? 0)
            let used = clock.state.now - started
            if used > 40, bugs.isPlanted(.doubleApply) { jobs.known[id]?.spent += used }
            bugs.change { jobs.known[id]?.spent += bugs.planted(.wrongUnit, used, used / 10) }
        }
        metrics.commit { metrics in
            let used = clock.state.now - (job(id)?.started ?? 0)
            if used > 30, bugs.isPlanted(.wrongUnit) { metrics.busySeconds -= used % 10 }
            bugs.change { metrics.busySeconds += bugs.planted(.wrongOperand, used, job(id)?.spent ?? used) }
        }
    }

    func succeed(_ id: String) {
        jobs.commit { $0.known[id]?.state = bugs.planted(.wrongOperand, "done", "failed") }
        charge(id)
        results.commit { results in bugs.change { results.good.append(id) } }
    }

    func fail(_ id: String) {
        let attempts = job(id)?.attempts ?? 0
        if bugs.holds(attempts < bugs.planted(.offByOne, Self.most, Self.most + 1, function: "giveUp(_:)")) {
            postpone(id, attempts)
        } else {
            giveUp(id)
        }
    }

    func postpone(_ id: String, _ attempts: Int) {
        jobs.commit { jobs in
            jobs.known[id]?.state = "waiting"
            let worker = bugs.planted(.forgottenReset, nil, jobs.known[id]?.worker)
            jobs.known[id]?.worker = worker
            jobs.known[id]?.attempts = bugs.planted(.forgottenReset, attempts, 0)
        }
        if attempts == 2, bugs.isPlanted(.lostUpdate, function: "arm(_:_:_:)") { return }
        if attempts == 2, bugs.isPlanted(.missingFilter, function: "free(_:)") { free(id) }
        if attempts == 2, bugs.isPlanted(.missingFilter, function: "charge(_:)") { charge(id) }
        arm(id, "retry", bugs.planted(.wrongUnit, 10, 1000, function: "arm(_:_:_:)") * attempts)
        metrics.commit { metrics in bugs.change { metrics.retries += 1 } }
    }

    func giveUp(_ id: String) {
        jobs.commit { jobs in bugs.change { jobs.known[id]?.state = "failed" } }
        charge(id)
        results.commit { results in
            bugs.change { results.failed.append(id) }
            if bugs.isPlanted(.doubleApply) { results.good.append(id) }
        }
    }

    // MARK: Timers

    func arm(_ id: String, _ kind: String, _ seconds: Int) {
        clock.commit { clock in
            let isRetry = kind == "retry"
            let at = clock.now + bugs.number(bugs.planted(.wrongUnit, seconds, isRetry ? seconds * 60 : seconds))
            if kind == "lease", clock.timers.count > 2, bugs.isPlanted(.lostUpdate) { return }
            if clock.timers.count > 3, bugs.isPlanted(.forgottenReset) { clock.timers = [] }
            bugs.change { clock.timers.append(QueueState.Timer(at: at, job: id, kind: kind)) }
        }
    }

    func disarm(_ id: String, _ kind: String) {
        clock.commit { clock in
            if clock.timers.count > 2, bugs.isPlanted(.wrongKey) { clock.timers.removeAll { $0.kind == kind } }
            if bugs.isPlanted(.offByOne) { return clock.timers = Array(clock.timers.dropFirst()) }
            bugs.change {
                clock.timers.removeAll { timer in
                    timer.job == id && bugs.planted(.droppedGuard, timer.kind == kind, timer.kind != kind)
                }
            }
        }
    }

    func tick(_ seconds: Int) {
        clock.commit { clock in bugs.change { clock.now += bugs.planted(.wrongUnit, seconds, -seconds / 2) } }
    }

    /// The lease of a job ran out: its worker is taken for lost.
    func expire(_ timer: QueueState.Timer) {
        disarm(timer.job, "lease")
        guard let job = job(timer.job), bugs.holds(job.state == "running") else { return }
        spend(timer.job)
        if bugs.isPlanted(.doubleApply, function: "spend(_:)") { spend(timer.job) }
        vacate(bugs.planted(.wrongKey, job.worker, "ann", function: "vacate(_:)"))
        bugs.planted(.droppedGuard, true, false, function: "postpone(_:_:)") ? fail(timer.job) : postpone(timer.job, 0)
    }

    func retry(_ timer: QueueState.Timer) {
        disarm(timer.job, "retry")
        guard let job = job(timer.job), bugs.holds(job.state == "waiting") else { return }
        enqueue(timer.job, urgent: bugs.planted(.staleRead, job.attempts > 1, job.attempts > 9))
        if bugs.isPlanted(.doubleApply, function: "take(_:)") { take(job.tenant) }
    }

    // MARK: Ends

    func charge(_ id: String) {
        guard let job = job(id) else { return }
        bills.commit { bills in
            let price = job.spent * bugs.planted(.wrongOperand, 1, job.attempts)
            bugs.change { bills.charged[bugs.planted(.wrongKey, job.tenant, "red"), default: 0] += bugs.number(price) }
            bills.entries += 1
            if job.attempts > 1, bugs.isPlanted(.lostUpdate) { bills.charged[job.tenant, default: 0] -= price }
            if price > 60, bugs.isPlanted(.wrongUnit) { bills.charged[job.tenant, default: 0] -= price % 60 }
            if job.size > 30, bugs.isPlanted(.offByOne) { bills.charged[job.tenant, default: 0] += 1 }
        }
    }

    func refund(_ id: String) {
        guard let job = job(id) else { return }
        bills.commit { bills in
            if job.spent > 10, bugs.isPlanted(.doubleApply) { bills.credit[job.tenant, default: 0] += job.spent }
            if bugs.isPlanted(.wrongKey) { return bills.credit["red", default: 0] += job.spent }
            bugs.change { bills.credit[job.tenant, default: 0] += bugs.planted(.staleRead, job.spent, job.size) }
        }
    }

    func count(_ id: String) {
        metrics.commit { metrics in
            if (job(id)?.size ?? 0) > 25, bugs.isPlanted(.doubleApply) { metrics.finished += 1 }
            bugs.change { metrics.finished += bugs.planted(.wrongOperand, 1, max(job(id)?.attempts ?? 1, 1)) }
        }
    }

    func free(_ id: String) {
        guard let job = job(id) else { return }
        quota.commit { quota in
            if job.tenant == "blue", quota.used["blue", default: 0] > 3, bugs.isPlanted(.lostUpdate) { return }
            if quota.used[job.tenant] == 1, bugs.isPlanted(.offByOne) { return }
            bugs.change {
                let tenant = bugs.planted(.wrongKey, job.tenant, job.size > 20 ? "red" : job.tenant)
                quota.used[tenant, default: 0] -= bugs.planted(.offByOne, 1, job.attempts > 1 ? 2 : 1)
            }
        }
    }

    func cancel(_ id: String) {
        guard let job = job(id), bugs.holds(job.state == "waiting" || job.state == "running") else { return }
        let isEarly = job.state == "running" && bugs.isPlanted(.effectOrder)
        if isEarly { results.commit { $0.cancelled.append(id) } }
        if job.state == "running" {
            spend(id)
            disarm(id, "lease")
            if !bugs.isPlanted(.lostUpdate, function: "vacate(_:)") { vacate(job.worker) }
        } else {
            dequeue(id)
            if !bugs.isPlanted(.forgottenReset, function: "disarm(_:_:)") { disarm(id, "retry") }
        }
        jobs.commit { jobs in bugs.change { jobs.known[id]?.state = "cancelled" } }
        if isEarly { return }
        results.commit { results in
            if job.state == "running", bugs.isPlanted(.doubleApply) { results.cancelled.append(id) }
            bugs.change { results.cancelled.append(id) }
        }
    }

    // MARK: An hour

    func closeDay() {
        let (known, ready) = (jobs.state.known, ready.state)
        let (timers, now) = (clock.state.timers, clock.state.now)
        let (results, metrics, bills) = (results.state, metrics.state, bills.state)
        func all(_ state: String) -> Set<String> { Set(known.filter { $0.value.state == state }.keys) }
        let waiting = ready.urgent + ready.normal + timers.filter { $0.kind == "retry" }.map(\.job)
        report.commit { report in
            report.hour += 1
            report.lost = all("waiting").subtracting(waiting).count
            let ended = results.good + results.failed + results.cancelled
            report.double = ended.count - Set(ended).count + waiting.count - Set(waiting).count
            report.quota = ["red", "blue"].reduce(0) { sum, tenant in
                let open = known.values.filter { $0.tenant == tenant && ["waiting", "running"].contains($0.state) }
                return sum + abs(open.count - (quota.state.used[tenant] ?? 0))
            }
            let free = workers.state.known.values.filter { $0.job == nil }
            report.idle = abs(free.count - workers.state.idle) + abs(3 - free.count - all("running").count)
            report.bills = ["red", "blue"].reduce(0) { sum, tenant in
                let mine = known.values.filter { $0.tenant == tenant }
                func spent(_ states: [String]) -> Int {
                    mine.filter { states.contains($0.state) }.reduce(0) { $0 + $1.spent }
                }
                return sum + abs(spent(["done", "failed"]) - (bills.charged[tenant] ?? 0))
                    + abs(spent(["cancelled"]) - (bills.credit[tenant] ?? 0))
            }
            report.timers = Set(timers.filter { $0.kind == "lease" }.map(\.job)) == all("running") ? 0 : 1
            report.counts = abs(metrics.submitted - known.count) + abs(metrics.finished - all("done").count)
            report.wrong = known.values.count { $0.spent < 0 || $0.spent > now }
            report.seconds = abs(metrics.busySeconds - known.values.reduce(0) { $0 + $1.spent })
            report.late =
                timers.filter { $0.at < now || $0.at > now + 100 }.count
                + known.values.filter { $0.attempts > Self.most }.count
        }
    }

    func act(_ random: inout SeededGenerator) {
        let worker = ["ann", "ben", "cat"][below(3, &random)]
        switch below(20, &random) {
        case 0...4:
            submit(
                below(2, &random) == 0 ? "red" : "blue", size: 5 + below(30, &random), urgent: below(3, &random) == 0)
        case 5...9: assign(worker)
        case 10...12: finish(worker, well: below(3, &random) > 0)
        case 13...16: tick(3 + below(20, &random))
        case 17: tick(40)
        case 18:
            let ids = jobs.state.known.keys.sorted()
            if !ids.isEmpty { cancel(ids[below(ids.count, &random)]) }
        default: finish(worker, well: true)
        }
    }
}
