/// What all investigations come to.
struct Evaluation {
    /// At most so many calls and bytes in the median over all runs, and at least three of four lines reached.
    private static let (calls, bytes) = (4, 24_000)
    /// So many lines can be read one after another.
    private static let fewLines = 6

    private let investigations: [Investigation]
    private let way: Investigation.Way

    init(_ runs: [FailingRun], _ way: Investigation.Way, _ program: Program) throws {
        self.way = way
        investigations = try runs.map { run in
            var investigation = Investigation(run, way, program)
            try investigation.follow()
            return investigation
        }
    }

    private var reached: [Investigation] { investigations.filter(\.isReached) }

    /// The median over all; a line that was not reached takes more than any.
    private func median(_ investigations: [Investigation], _ measure: (Investigation) -> Int) -> Int? {
        let sorted = investigations.map { $0.isReached ? measure($0) : Int.max }.sorted()
        let middle = sorted.isEmpty ? Int.max : sorted[sorted.count / 2]
        return middle == .max ? nil : middle
    }

    /// Whether the targets are held.
    var isHeld: Bool {
        reached.count * 4 >= investigations.count * 3
            && (median(investigations) { $0.calls.count } ?? .max) <= Self.calls
            && (median(investigations, \.bytes) ?? .max) <= Self.bytes
    }

    func report() {
        func text(_ number: Int?) -> String { number.map(String.init) ?? "-" }
        let runs = way.isAlone ? "With the failing run alone" : "With up to four bad and four good runs"
        print(runs + (way.asksCloser ? ":" : ", and no second question:"))
        print("\n| | calls | bytes | lines named |\n| --- | --- | --- | --- |")
        for (name, some) in [
            ("the \(reached.count) reached", reached), ("all \(investigations.count)", investigations),
        ] {
            let numbers = [median(some) { $0.calls.count }, median(some, \.bytes), median(some) { $0.places.count }]
            print("| \(name) | \(numbers.map(text).joined(separator: " | ")) |")
        }
        var last: [String: Int] = [:]
        for investigation in reached { last[investigation.calls.last?.words[0] ?? "", default: 0] += 1 }
        let counts = last.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        print("\nThe line was in the answer of: \(counts.joined(separator: ", ")).")
        let narrow = reached.count { $0.places.count <= Self.fewLines }
        print("In \(narrow) runs the answers named it among at most \(Self.fewLines) lines.\n")
    }

    func list() {
        print("| fault | what is wrong | question | answer | calls | bytes | lines named |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for found in investigations {
            let run = found.run
            let calls = found.isReached ? "\(found.calls.count)" : "not in \(found.calls.count)"
            let key = "\(run.key.sorted().joined(separator: ", ")) \(run.function)"
            print(
                "| \(run.number) | \(run.kind) | \(run.question.words) | \(key) | \(calls) | \(found.bytes) "
                    + "| \(found.places.count) |")
        }
        print()
    }
}
