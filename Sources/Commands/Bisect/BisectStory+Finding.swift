import CommandLine
import JSONCore
import JournalFormat
package import JournalReading
import TimeTravel

extension BisectStory.Facts {
    package func finding(of question: String, isConclusive: Bool) -> Finding {
        let isBad = firstBad != nil || badAtStart == true || badAtEnd == true
        let story = BisectStory(self, style: .plain, width: nil)
        var finding = Finding(
            tone: isBad ? .bad : isConclusive ? .good : .unknown,
            title: story.title, question: question)
        finding.record = firstBad
        finding.position = firstBad?.seq ?? (badAtStart == true ? from : nil)
        finding.last = badAtEnd == true ? to : nil
        finding.cause = cause
        finding.firings = firings
        finding.sentences = story.sentences
        finding.commands = story.commands
        return finding
    }

    /// The first bad commit, as reports that point to a line of source have it; nil where there is none.
    package func result(_ record: Record, _ question: String, _ history: [Finding.HistoryStep]) -> Finding.Result? {
        guard let firstBad else { return nil }
        var details = ViolationText.changes(firstBad) + ["bad is: " + question]
        if let cause { details.append(ViolationText.cause(cause)) }
        return Finding.Result(
            place: SourcePlace(record),
            heading: "\(ViolationText.title(firstBad)) of \(journal) turned the state bad, \(firstBad.label)",
            details: details, history: history,
            properties: .members([
                "journal": .string(journal), "seq": .number(record.seq.rawValue),
                "lastGood": lastGood.map { .number($0) }, "flips": flips.map { .number($0) },
            ]))
    }
}
