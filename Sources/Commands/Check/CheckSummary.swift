package import CommandLine
package import JSONCore

/// The memory is that of the locations, not of the journals.
package struct CheckSummary {
    /// The most locations that are kept apart; a program has fewer, a hostile journal may not.
    static let locationLimit = 10_000

    /// So many are listed for people; further ones are only counted.
    static let mostListed = 20

    package struct Location {
        package let invariant: String
        package let place: SourcePlace?
        /// How many journals, how many positions in all of them.
        package var journals: Int
        package var positions: Int
        package let journal: String
        package let seq: Int
    }

    package init() {}

    package private(set) var journals = 0
    private var statuses: [CheckStatus: Int] = [:]
    /// Violations at locations beyond the limit.
    package private(set) var more = 0
    private(set) var worst = CheckStatus.held
    private var locations: [Location] = []
    /// The index of each location, by the bytes that distinguish it from others.
    private var places: [[UInt8]: Int] = [:]

    var held: Int { statuses[.held, default: 0] }
    var violated: Int { statuses[.violated, default: 0] }
    package var failed: Int { statuses[.failed, default: 0] }
    package var unreadable: Int { statuses[.unreadable, default: 0] }

    /// As `3 journals: 2 violated, 1 unreadable`.
    var text: String {
        let parts = [
            violated > 0 ? "\(violated) violated" : nil,
            failed > 0 ? "\(failed) with positions that have no answer" : nil,
            unreadable > 0 ? "\(unreadable) unreadable" : nil,
        ].compactMap(\.self)
        return "\(journals) journals: " + (parts.isEmpty ? "every invariant holds" : parts.joined(separator: ", "))
    }

    package mutating func add(_ checked: CheckedJournal) {
        journals += 1
        let status = checked.status
        worst = max(worst, status)
        statuses[status, default: 0] += 1
        for verdict in checked.verdicts {
            if let violation = verdict.violation { add(violation, of: verdict.name, in: checked.path) }
        }
    }

    private mutating func add(_ violation: CheckedJournal.Violation, of invariant: String, in journal: String) {
        let place = violation.record.flatMap { SourcePlace($0) }
        let parts = [invariant, place?.text ?? "", place?.column.map(String.init) ?? "", place?.function ?? ""]
        let key = Array(parts.joined(separator: "\0").utf8)
        if let index = places[key] {
            locations[index].journals += 1
            locations[index].positions += violation.positions
        } else if locations.count < Self.locationLimit {
            places[key] = locations.count
            locations.append(
                Location(
                    invariant: invariant, place: place, journals: 1, positions: violation.positions, journal: journal,
                    seq: violation.position))
        } else {
            more += 1
        }
    }

    /// Locations of the most journals come first, and of equal ones the one that was met first.
    package var ranking: [Location] {
        locations.enumerated().sorted { left, right in
            (right.element.journals, left.offset) < (left.element.journals, right.offset)
        }.map(\.element)
    }

    private static func json(_ location: Location) -> JSONValue {
        .members([
            "invariant": .string(location.invariant),
            "at": location.place?.json ?? .null,
            "journals": .number(location.journals), "positions": .number(location.positions),
            "journal": .string(location.journal), "seq": .number(location.seq),
        ])
    }
}

extension SourcePlace {
    package var json: JSONValue {
        .members([
            "file": .string(file), "line": line.map { .number($0) }, "column": column.map { .number($0) },
            "function": function.map(JSONValue.string),
        ])
    }
}

extension CheckSummary {
    static let answer = AnswerKind<CheckSummary>(
        "check.summary", "what several journals came to",
        [
            .always("journals", "how many were checked", \.journals),
            .always("held", "in how many of them every invariant held at every position", \.held),
            .always("violated", "in how many an invariant is violated", \.violated),
            .always("failed", "in how many others positions have no answer", \.failed),
            .always("unreadable", "how many could not be read", \.unreadable),
            .always(
                "locations",
                #"the places in the source that began violations, most journals first: "invariant", "at", "journals", "positions", and the first "journal" with its "seq""#
            ) { $0.ranking.map(json) },
            .sometimes("more", "how many violations began at places that are not listed") { summary in
                summary.more > 0 ? summary.more : nil
            },
        ])
}
