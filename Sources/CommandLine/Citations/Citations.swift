package import JSONCore
package import JournalFormat
package import JournalReading
import QueryLanguage

package final class Citations {
    private let journals: JournalOpener
    private var ids = NameTable<String>()
    /// The last one that was made: the last line of an answer for people.
    package private(set) var last: Citation?

    package init(_ journals: JournalOpener) { self.journals = journals }

    /// Nil for a pipe, which cannot be asked again.
    package func cite(_ seq: Int, _ pointer: JSONPointer?, _ value: JSONValue?, of journal: Journal) throws -> Citation?
    {
        let claim = pointer.flatMap { pointer in
            value.map { Citation.Claim(pointer: pointer, value: Citation.text(of: $0)) }
        }
        return try cite(seq, claim, named: journal.path) { journal }
    }

    package func cite(_ seq: Int, of path: String) throws -> Citation? {
        try cite(seq, nil, named: path) { try journals.open(path, .random) }
    }

    package static func line(_ object: [UInt8], with citation: Citation) -> [UInt8] {
        guard let end = object.lastIndex(of: UInt8(ascii: "}")) else { return object }
        return object[..<end] + Array(#","cite":"#.utf8) + Array(JSONValue.string(citation.text).text().utf8)
            + [UInt8(ascii: "}")]
    }

    private func cite(
        _ seq: Int, _ claim: Citation.Claim?, named path: String, _ journal: () throws -> Journal
    ) throws -> Citation? {
        guard !JournalFiles.isReadOnce(path) else { return nil }
        let id = try ids[path] ?? journal().headerRecord.object()["id"]?.string ?? ""
        ids[path] = id
        last = Citation(file: path, id: id, position: seq, claim: claim)
        return last
    }
}

extension CommandContext {
    package func cite(
        _ seq: CommitNumber, _ pointer: JSONPointer? = nil, _ value: @autoclosure () throws -> JSONValue? = nil,
        of journal: Journal
    ) throws -> Citation? {
        try citations?.cite(seq.rawValue, pointer, value(), of: journal)
    }

    package func cite(_ seq: CommitNumber, reading query: ScopedQuery?, of journal: Journal) throws -> Citation? {
        guard let citations else { return nil }
        let paths = query?.footprint.paths ?? .nothing
        guard let pattern = paths.patterns.first, paths.patterns.count == 1,
            let pointer = try? JSONPointer(parsing: pattern), !pointer.segments.contains("*"),
            !pointer.segments.contains("**")
        else { return try citations.cite(seq.rawValue, nil, nil, of: journal) }
        // The answer stands without the value: a citation of its position alone then.
        let state = try? journal.state(at: seq, pruning: paths).value
        return try citations.cite(seq.rawValue, pointer, state.flatMap(pointer.value), of: journal)
    }

    package func writeJSON(_ line: [UInt8], _ citation: Citation?) throws(OutputError) {
        try output.writeLine(citation.map { Citations.line(line, with: $0) } ?? line)
    }
}
