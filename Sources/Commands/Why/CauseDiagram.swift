import CommandLine
import Diagnostics
import TimeTravel

/// A chain of causes as a sequence diagram of Mermaid: the stores take part, each commit is a message from the store whose commit
/// caused it, the first one on top.
struct CauseDiagram {
    /// How many commits are drawn at the most: those next to the one that was asked about.
    static let mostCommits = 100
    private static let nameWidth = 60
    private static let changeWidth = 80

    private let records: [RecordSummary]
    /// How many commits of the chain are not drawn.
    private let left: Int

    /// The diagram of a chain.
    init(_ records: [RecordSummary]) {
        self.records = records.prefix(Self.mostCommits).reversed()
        left = records.count - self.records.count
    }

    var lines: [String] {
        var stores: [String] = []
        for record in records {
            let store = record.store ?? ""
            if !stores.contains(where: { $0.utf8.elementsEqual(store.utf8) }) { stores.append(store) }
        }
        func participant(_ record: RecordSummary) -> String {
            "s\((stores.firstIndex { $0.utf8.elementsEqual((record.store ?? "").utf8) } ?? 0) + 1)"
        }
        var lines = ["sequenceDiagram"]
        for (index, store) in stores.enumerated() {
            lines.append("    participant s\(index + 1) as \(Mermaid.name(store, width: Self.nameWidth))")
        }
        if left > 0, let first = records.first {
            lines.append("    Note over \(participant(first)): \(left) causes before it are not drawn")
        }
        var cause: RecordSummary?
        for record in records {
            let here = participant(record)
            lines.append("    \(participant(cause ?? record))->>\(here): \(Self.text(of: record))")
            lines.append("    Note over \(here): \(Self.changes(of: record))")
            cause = record
        }
        return lines
    }

    /// As `118 applyDiscount(_:) Shop/Cart.swift:42`.
    private static func text(of record: RecordSummary) -> String {
        let parts = [record.label, record.location ?? ""].filter { !$0.isEmpty }
        return (["\(record.seq)"] + parts.map { Mermaid.label($0, width: nameWidth) }).joined(separator: " ")
    }

    private static func changes(of record: RecordSummary) -> String {
        Mermaid.label(
            ChangeTable(style: .plain, width: changeWidth).summary(record.changes, after: 0), width: changeWidth)
    }
}

extension CauseDiagram {
    /// The chain in GitHub's Markdown: the diagram, and a line for each commit.
    func markdown(of asked: RecordSummary) -> [String] {
        let rows = records.reversed().map { record in
            let parts = [record.store, record.label, record.location, record.clock].compactMap(\.self)
            return "- \(record.seq) " + parts.filter { !$0.isEmpty }.map(Markdown.code).joined(separator: " · ")
        }
        return ["### What caused commit \(asked.seq)", "", "```mermaid"] + lines + ["```", ""] + rows
            + (left > 0 ? ["", "and \(left) more"] : [])
    }
}
