/// One way from a question to a line: calls by rules that follow from the question and the answers so far.
///
/// The order is the skill's: what there is, the first bad commit, what that commit's line reads, where its value comes from, what
/// sets the bad runs apart, what followed.
struct Investigation {
    /// A call with what its answer named.
    struct Call {
        let words: [String]
        let bytes: Int
        let places: Set<String>
    }

    let run: FailingRun
    private(set) var calls: [Call] = []
    private let program: Program
    private let way: Way
    /// The commit from which on it is bad for good, and the places that it changed, as the last answer named them.
    private var commit: Int?
    private var changed: [String] = []

    /// What the person has and does.
    struct Way {
        /// Whether only the first bad run is at hand.
        let isAlone: Bool
        /// Whether the line that `bisect` names is read, and what it checks asked about.
        let asksCloser: Bool
    }

    init(_ run: FailingRun, _ way: Way, _ program: Program) {
        (self.run, self.way, self.program) = (run, way, program)
    }

    /// Whether an answer has the guilty line.
    var isReached: Bool { calls.contains { !$0.places.isDisjoint(with: run.key) } }
    /// The bytes of all answers.
    var bytes: Int { calls.reduce(0) { $0 + $1.bytes } }
    /// The lines that the answers named, the guilty one and others.
    var places: Set<String> { calls.reduce(into: []) { $0.formUnion($1.places) } }

    /// Calls until an answer has the guilty line, or there is nothing more to ask.
    mutating func follow() throws {
        let (journal, question) = (run.bad[0], run.question)
        try ask(["info", journal])
        try bisect(question.query)
        if way.asksCloser, let closer = question.closer { try bisect(closer) }
        if let commit, let path = path { try ask(["origin", journal, path, "--at", "\(commit)"]) }
        let runs = way.isAlone ? [journal] : run.bad
        let good = way.isAlone || run.good.isEmpty ? [] : ["--good"] + run.good
        try ask(["suspects"] + runs + ["--bad", question.query] + good)
        if let commit { try ask(["log", journal, "--range", "\(commit)..\(commit + 8)"]) }
    }

    private mutating func bisect(_ query: String) throws {
        guard let answer = try ask(["bisect", run.bad[0], "--bad", query]) else { return }
        let first = answer.firstMatch(of: /first bad commit +(\d+) of/)?.1
        let last = answer.firstMatch(of: /at the end began with\s+(\d+)/)?.1
        commit = (last ?? first).flatMap { Int($0) }
        changed = answer.matches(of: /\n  (\/\S+) +(\S)/).map { match in
            let member = match.2 == "+" ? run.question.member.map { "/" + $0 } : nil
            return String(match.1) + (member ?? "")
        }
    }

    /// The first place that the commit changed in a store that the question reads.
    private var path: String? {
        let stores = run.question.stores
        return changed.first { stores.contains(String($0.split(separator: "/")[0])) }
    }

    /// Asks, unless the line is known.
    @discardableResult private mutating func ask(_ words: [String]) throws -> String? {
        guard !isReached else { return nil }
        let answer = try program.answer(words)
        let places = answer.matches(of: /(?:Shop|Queue)\.swift:\d+/).map { String($0.output) }
        calls.append(Call(words: words, bytes: answer.utf8.count, places: Set(places)))
        return answer
    }
}
