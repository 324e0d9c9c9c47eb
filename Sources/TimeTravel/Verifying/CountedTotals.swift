import JSONCore
import JournalFormat

/// Counts what a journal's `totals` claim.
struct CountedTotals {
    var marks = 0
    var gaps = 0
    var aborts = 0
    /// Whether every record so far was seen; behind damage, counts mean nothing.
    var isComplete = true
    private var commits = JSONObject()
    private var open = JSONObject()
    private var derived = JSONObject()

    mutating func count(_ store: String) {
        let before = commits[store]?.number?.integerValue ?? 0
        commits[store] = .number(JSONNumber(before + 1))
    }

    mutating func open(_ store: String) { open[store] = .null }
    mutating func close(_ store: String) { open[store] = nil }
    mutating func declare(_ name: String) { derived[name] = .null }

    /// A gap names the stores that are open.
    mutating func reopen(_ stores: [String]) {
        open = JSONObject(stores.map { (key: $0, value: JSONValue.null) })
    }

    /// What was counted.
    var totals: Totals {
        Totals(
            commits: commits.map { Totals.StoreCommits(store: $0.key, count: $0.value.number?.integerValue ?? 0) },
            open: open.keys, derived: derived.keys, marks: marks, gaps: gaps, aborts: aborts)
    }

    /// What differs, in words; nil where nothing does, or nothing can be said.
    func difference(from totals: Totals) -> String? {
        guard isComplete else { return nil }
        if let store = differingStore(totals) {
            let said = totals.commits.first { UTF8Order.equal($0.store, store) }?.count ?? 0
            let counted = commits[store]?.number?.integerValue ?? 0
            return "'totals' has \(said) commits of '\(store)', should be \(counted)"
        }
        if !CountedTotals.sameNames(totals.open, open) { return "'totals' names other open stores than there are" }
        if !CountedTotals.sameNames(totals.derived, derived) {
            return "'totals' names other derived values than were declared"
        }
        for (name, said, counted) in [
            ("marks", totals.marks, marks), ("gaps", totals.gaps, gaps), ("aborts", totals.aborts, aborts),
        ] where said != counted {
            return "'totals' has \(said) \(name), should be \(counted)"
        }
        return nil
    }

    private func differingStore(_ totals: Totals) -> String? {
        var said = JSONObject()
        for entry in totals.commits where entry.count != 0 { said[entry.store] = .number(JSONNumber(entry.count)) }
        for (store, count) in commits where said[store] != count { return store }
        for (store, _) in said where commits[store] == nil { return store }
        return nil
    }

    private static func sameNames(_ names: [String], _ counted: JSONObject) -> Bool {
        let said = JSONObject(names.map { (key: $0, value: JSONValue.null) })
        return said == counted
    }
}
