/// What an answer of one kind has: said once for the builder, which writes nothing else, and for the manual page that lists it.
///
/// A definition stands beside the code that writes the answer, and its command lists it.
package struct AnswerDefinition: Sendable {
    /// The first member of every answer; programs distinguish answers by it.
    package let kind: String

    /// What one such line is, in a few words; lower case, no full stop.
    package let summary: String

    /// The members after `kind`, in the order in which they are written.
    package let members: [Member]

    /// One member.
    package struct Member: Sendable {
        package let name: String

        /// What it holds, in one line; lower case, no full stop.
        package let meaning: String

        /// Whether some answers of the kind lack it.
        let mayBeMissing: Bool

        /// A member that every answer of the kind has.
        package static func always(_ name: String, _ meaning: String) -> Member {
            Member(name: name, meaning: meaning, mayBeMissing: false)
        }

        /// A member that is left out where there is nothing to say.
        package static func sometimes(_ name: String, _ meaning: String) -> Member {
            Member(name: name, meaning: meaning, mayBeMissing: true)
        }
    }

    package init(_ kind: String, _ summary: String, _ members: [Member]) {
        self.kind = kind
        self.summary = summary
        self.members = members
    }

    /// Why an answer with these members, in this order, is none of this kind; nil where it is one.
    package func fault(of names: [String]) -> String? {
        guard names.first == "kind" else { return "'kind' is not the first member" }
        var rest = members[...]
        for name in names.dropFirst() {
            guard let index = rest.firstIndex(where: { $0.name == name }) else {
                let isKnown = members.contains { $0.name == name }
                return "'\(name)' \(isKnown ? "stands in another place" : "is not declared")"
            }
            if let lost = rest[..<index].first(where: { !$0.mayBeMissing }) { return "'\(lost.name)' is missing" }
            rest = rest[(index + 1)...]
        }
        return rest.first { !$0.mayBeMissing }.map { "'\($0.name)' is missing" }
    }
}
