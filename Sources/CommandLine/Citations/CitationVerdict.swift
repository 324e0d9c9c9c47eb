import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading

package enum CitationVerdict: Equatable {
    /// It is as cited.
    case holds
    case other(String?)
    case otherRun(String)
    case noPosition(String)
    case unreadable(String)

    /// Asks the journal, which is named from the folder where the program runs.
    ///
    /// - Complexity: a seek, and the state there as far as the citation reads it.
    package init(of citation: Citation, in journal: Journal) {
        do {
            let id = try journal.headerRecord.object()["id"]?.string ?? ""
            guard UTF8Order.equal(id, citation.id) else {
                self = .otherRun(id)
                return
            }
            let paths = citation.claim.map { PathSet($0.pointer) } ?? .nothing
            let state = try journal.state(at: CommitNumber(citation.position), pruning: paths).value
            guard let claim = citation.claim else {
                self = .holds
                return
            }
            let value = claim.pointer.value(in: state)
            self = value.map { Self.isSame($0, claim.value) } == true ? .holds : .other(value.map(Citation.text))
        } catch {
            let message = ExitStatus.diagnostics(of: error, in: nil)[0].message
            self = ExitStatus.of(error) == .notThere ? .noPosition(message) : .unreadable(message)
        }
    }

    private static func isSame(_ value: JSONValue, _ cited: String) -> Bool {
        if UTF8Order.equal(Citation.text(of: value), cited) { return true }
        return (try? JSONParser.parse(cited)) == value
    }

    package var status: ExitStatus {
        switch self {
        case .holds: .done
        case .other, .otherRun, .noPosition: .negative
        case .unreadable: .unreadable
        }
    }

    package var words: String? {
        switch self {
        case .holds: nil
        case .other(let value?): "there is " + value
        case .other(nil): "nothing is there"
        case .otherRun(let id): "the journal is of the run '\(id)'"
        case .noPosition(let message), .unreadable(let message): message
        }
    }
}
