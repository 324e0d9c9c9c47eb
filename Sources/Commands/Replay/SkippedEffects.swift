import JournalFormat
package import JournalReading
import TimeTravel

/// What commits that are left out have caused, which stays unless it is left out too.
package struct SkippedEffects {
    private static let mostNamed = 5

    private let list: CommitList
    private let effects: [(commit: CommitNumber, cause: CommitNumber)]

    /// Looks for what some commits caused; nothing is known of it where the journal is damaged, which others report.
    package init(of list: CommitList, in journal: Journal) {
        self.list = list
        effects = (try? CommitCauses(of: journal))?.effects(of: list) ?? []
    }

    package var joined: CommitList {
        effects.isEmpty ? list : ((try? CommitList(parsing: [list.text] + effects.map { "\($0.commit)" })) ?? list)
    }

    /// That it stays, with what leaves it out too; nil where nothing was caused.
    package func note(_ what: String) -> String? {
        guard !effects.isEmpty else { return nil }
        let named = effects.prefix(Self.mostNamed).map { "\($0.commit) was caused by \($0.cause)" }
        let more = effects.count - named.count
        let text = named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return
            "\(text) and \(effects.count == 1 ? "stays" : "stay"); '\(what)' takes \(effects.count == 1 ? "it" : "them") too"
    }
}

extension CommitList {
    package var text: String {
        ranges.map { $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)" }
            .joined(separator: ",")
    }
}
