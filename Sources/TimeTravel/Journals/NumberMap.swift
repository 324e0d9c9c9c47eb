import JSONCore

/// Which numbers the commits of one journal have in another: kept as runs of consecutive commits, so that a lost million of
/// them takes no more room than one.
struct NumberMap {
    private struct Run {
        let old: Int
        let new: Int
        var count: Int
    }

    private var runs: [Run] = []

    /// Commits come in ascending order.
    mutating func add(_ old: Int, _ new: Int, count: Int = 1) {
        if let last = runs.last, last.old + last.count == old, last.new + last.count == new {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(old: old, new: new, count: count))
        }
    }

    /// Nil where the commit is not there; O(log *n*) in the runs.
    subscript(old: Int) -> Int? {
        let next = runs.prefixCount { $0.old <= old }
        guard next > 0, old - runs[next - 1].old < runs[next - 1].count else { return nil }
        return runs[next - 1].new + (old - runs[next - 1].old)
    }

    /// How a member changes that is a commit's number: one that is not there goes away; nil where it stays.
    func edit(_ member: String, of record: JSONToken) -> (member: String, value: JSONValue?)? {
        guard let old = record[member]?.value().number?.integerValue, self[old] != old else { return nil }
        return (member, self[old].map { .number(JSONNumber($0)) })
    }
}
