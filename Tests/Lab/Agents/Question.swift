/// What a person asks about a run that went wrong: the complaint, and how it is put to the journal.
struct Question {
    /// The complaint.
    let words: String
    /// Where it shows, as it is known from the start.
    let query: String
    /// What is asked once the line that `bisect` names has been read, where that line only adds up what others wrote.
    var closer: String?
    /// The member that the closer question is about, where a commit adds it with others.
    var member: String?

    /// The question about an invariant that was broken; nil where there is none.
    static func about(_ invariant: String) -> Question? { all[invariant] }

    /// The stores that it reads.
    var stores: Set<String> {
        let words = (closer ?? query).split { !($0.isLetter || $0 == ".") }
        return Set(words.filter { $0.first == "." && $0.count > 1 }.map { String($0.split(separator: ".")[0]) })
    }

    private init(_ words: String, _ query: String, closer: String? = nil, member: String? = nil) {
        (self.words, self.query, self.closer, self.member) = (words, query, closer, member)
    }

    /// A question for each invariant of the apps, by the invariant.
    private static let all: [String: Question] = [
        ".cart.total >= 0": Question("a cart costs less than nothing", ".cart.total < 0"),
        ".cart.percent <= 60": Question("more than 60 % are taken off", ".cart.percent > 60"),
        "[.warehouse.stock[] | . >= 0] | all": Question(
            "less than nothing is in stock", "[.warehouse.stock[] | . < 0] | any"),
        ".till.step != \"paying\" or .till.amount > 0": Question(
            "the till asks for nothing", ".till.step == \"paying\" and .till.amount <= 0"),
        ".session.user != null or .session.voucher == null": Question(
            "a voucher is left when its user is gone", ".session.user == null and .session.voucher != null"),
        ".books.money == 0": Question(
            "the money is not what the orders come to", ".books.money != 0",
            closer: #".ledger.balance != ([.orders.list[] | select(.status != "cancelled").paid] | add // 0)"#),
        ".books.goods == 0": Question(
            "goods are missing", ".books.goods != 0",
            closer: """
                [.warehouse as $w | ($w.delivered | keys[]) as $id \
                | ($w.stock[$id] // 0) + ($w.sold[$id] // 0) != $w.delivered[$id]] | any
                """),
        ".books.reserved == 0": Question(
            "other goods are reserved than are in the cart", ".books.reserved != 0",
            closer: """
                [(.cart.items | map({(.id): .quantity}) | add // {}) as $cart | .warehouse.reserved as $reserved \
                | ($reserved + $cart | keys[]) as $id | ($reserved[$id] // 0) != ($cart[$id] // 0)] | any
                """),
        ".books.parcels == 0": Question(
            "an order has no parcel, or two", ".books.parcels != 0",
            closer: """
                (.post.waiting + .post.sent | sort) \
                != ([.orders.list[] | select(.status != "cancelled").number] | sort)
                """),
        ".books.points == 0": Question(
            "points are not what was spent", ".books.points != 0",
            closer: """
                .loyalty.points != .loyalty.spent or .loyalty.spent \
                != ([.orders.list[] | select(.status != "cancelled") | .paid - .fee] | add // 0)
                """),
        ".books.cart == 0": Question(
            "a cart's total is not the sum of its items", ".books.cart != 0",
            closer: """
                .cart | .total != (([.items[] | .price * .quantity] | add // 0) * (100 - .percent) / 100 | trunc)
                """),
        ".books.charged == 0": Question(
            "an order was charged with too much or too little", ".books.charged != 0",
            closer: """
                [.orders.list[] | select(.status != "cancelled") | ([.lines[] | .price * .quantity] | add // 0) as $worth \
                | .paid - .fee > $worth or .paid - .fee < ($worth * 4 / 10 | floor)] | any
                """, member: "paid"),
        "[.quota.used[] | . >= 0] | all": Question(
            "a tenant has less than nothing of its quota in use", "[.quota.used[] | . < 0] | any"),
        ".workers.idle >= 0": Question("fewer than no workers are idle", ".workers.idle < 0"),
        "(.clock.timers | length) <= 60": Question("timers pile up", "(.clock.timers | length) > 60"),
        ".report.lost == 0": Question(
            "a job waits and is in no list", ".report.lost != 0",
            closer: """
                [.jobs.known | to_entries[] | select(.value.state == "waiting").key] - (.ready.urgent + .ready.normal \
                + [.clock.timers[] | select(.kind == "retry").job]) | length > 0
                """),
        ".report.double == 0": Question(
            "a job is in a list twice", ".report.double != 0",
            closer: """
                (.results | .good + .failed + .cancelled), (.ready.urgent + .ready.normal \
                + [.clock.timers[] | select(.kind == "retry").job]) | length != (unique | length)
                """),
        ".report.quota == 0": Question(
            "the quota in use is not the number of open jobs", ".report.quota != 0",
            closer: """
                . as $s | [("red", "blue") as $t | ([$s.jobs.known[] | select(.tenant == $t \
                and (.state == "waiting" or .state == "running"))] | length) != ($s.quota.used[$t] // 0)] | any
                """),
        ".report.idle == 0": Question(
            "the workers who are free are not those counted", ".report.idle != 0",
            closer: """
                ([.workers.known[] | select(.job == null)] | length) as $free | $free != .workers.idle \
                or 3 - $free != ([.jobs.known[] | select(.state == "running")] | length)
                """),
        ".report.bills == 0": Question(
            "a bill is not what was worked", ".report.bills != 0",
            closer: """
                . as $s | [("red", "blue") as $t \
                | ([$s.jobs.known[] | select(.tenant == $t and (.state == "done" or .state == "failed")).spent] \
                | add // 0) != ($s.bills.charged[$t] // 0) \
                or ([$s.jobs.known[] | select(.tenant == $t and .state == "cancelled").spent] | add // 0) \
                != ($s.bills.credit[$t] // 0)] | any
                """),
        ".report.timers == 0": Question(
            "a job runs without a timer, or a timer without a job", ".report.timers != 0",
            closer: """
                ([.clock.timers[] | select(.kind == "lease").job] | unique) \
                != ([.jobs.known | to_entries[] | select(.value.state == "running").key] | unique)
                """),
        ".report.counts == 0": Question(
            "the metrics count other jobs than there are", ".report.counts != 0",
            closer: """
                .metrics.submitted != (.jobs.known | length) \
                or .metrics.finished != ([.jobs.known[] | select(.state == "done")] | length)
                """),
        ".report.wrong == 0": Question(
            "a job took longer than the clock has run", ".report.wrong != 0",
            closer: ".clock.now as $now | [.jobs.known[].spent | . < 0 or . > $now] | any"),
        ".report.seconds == 0": Question(
            "the seconds at work are not those of the jobs", ".report.seconds != 0",
            closer: ".metrics.busySeconds != ([.jobs.known[].spent] | add // 0)"),
        ".report.late == 0": Question(
            "a timer is overdue, or a job was tried too often", ".report.late != 0",
            closer: """
                .clock.now as $now | [(.clock.timers[].at | . < $now or . > $now + 100), (.jobs.known[].attempts > 3)] | any
                """),
    ]
}
