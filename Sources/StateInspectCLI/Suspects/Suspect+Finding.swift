import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

extension SuspectRuns {
    /// The suspects as findings, by the run that has the first commit of each.
    func findings(_ suspects: [Suspect]) throws -> [(path: String, findings: [Finding])] {
        var found: [(path: String, findings: [Finding])] = bad.map { ($0.path, []) }
        for (index, suspect) in suspects.enumerated() {
            found[suspect.first.run].findings.append(try finding(suspect, rank: index + 1))
        }
        return found.filter { !$0.findings.isEmpty }
    }

    private func finding(_ suspect: Suspect, rank: Int) throws -> Finding {
        let record = try record(of: suspect)
        let path = bad[suspect.first.run].path
        let place = SuspectsStory.text(of: suspect.place)
        var finding = Finding(tone: .bad, title: "suspect \(rank): \(place)", question: question)
        finding.position = suspect.first.commit.rawValue
        finding.record = RecordSummary(record)
        finding.sentences = ["score \(suspect.scoreText)"] + suspect.texts
        let advice = Advice(path)
        if advice.isPossible { finding.commands = [advice.command(.show, ["\(suspect.first.commit)"])] }
        finding.result = Finding.Result(
            place: SourcePlace(record),
            heading: "suspect \(rank), score \(suspect.scoreText), first at commit \(suspect.first.commit) of \(path)",
            details: suspect.texts,
            properties: .members([
                "journal": .string(path), "seq": .number(record.seq.rawValue), "rank": .number(rank),
                "score": .number(JSONNumber((suspect.score * 10_000).rounded() / 10_000)),
            ]))
        return finding
    }
}
