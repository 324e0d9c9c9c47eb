/// What a server of tasks holds: jobs, who works on them, timers, and what is charged for.
enum QueueState {
    struct Job: Encodable, Equatable, Sendable {
        let tenant: String
        let size: Int
        var state = "waiting"
        var attempts = 0
        var worker: String?
        var started = 0
        var spent = 0
    }

    struct Jobs: Encodable, Equatable, Sendable {
        var known: [String: Job] = [:]
        var next = 1
    }

    struct Ready: Encodable, Equatable, Sendable {
        var urgent: [String] = []
        var normal: [String] = []
    }

    struct Worker: Encodable, Equatable, Sendable {
        var job: String?
        var done = 0
        var lease = 0
    }

    struct Workers: Encodable, Equatable, Sendable {
        var known: [String: Worker] = [:]
        var idle = 0
    }

    struct Timer: Encodable, Equatable, Sendable {
        let at: Int
        let job: String
        let kind: String
    }

    struct Clock: Encodable, Equatable, Sendable {
        var now = 0
        var timers: [Timer] = []
    }

    struct Quota: Encodable, Equatable, Sendable {
        var limit: [String: Int] = ["red": 4, "blue": 6]
        var used: [String: Int] = ["red": 0, "blue": 0]
    }

    struct Bills: Encodable, Equatable, Sendable {
        var charged: [String: Int] = [:]
        var credit: [String: Int] = [:]
        var entries = 0
    }

    struct Results: Encodable, Equatable, Sendable {
        var good: [String] = []
        var failed: [String] = []
        var cancelled: [String] = []
    }

    struct Metrics: Encodable, Equatable, Sendable {
        var submitted = 0
        var finished = 0
        var retries = 0
        var busySeconds = 0
    }

    /// What an hour's report says: differences, which are all 0 if nothing is wrong.
    struct Report: Encodable, Equatable, Sendable {
        var hour = 0
        var lost = 0
        var double = 0
        var quota = 0
        var idle = 0
        var bills = 0
        var timers = 0
        var counts = 0
        var seconds = 0
        var late = 0
        var wrong = 0
    }
}
