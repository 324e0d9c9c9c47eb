import CommandLine
import Diagnostics
import JournalFormat
import JournalReading
import TimeTravel

struct SuspectsStory {
    private let found: Suspects
    private let shown: [Suspect]
    private let runs: SuspectRuns
    private let context: CommandContext

    init(_ found: Suspects, _ shown: [Suspect], _ runs: SuspectRuns, _ context: CommandContext) {
        self.found = found
        self.shown = shown
        self.runs = runs
        self.context = context
    }

    /// Its lines; none where there is no bad run.
    func lines() throws -> [String] {
        guard let first = runs.bad.first else { return [] }
        var lines = [symptom(first)]
        for suspect in shown { lines += [""] + (try block(suspect)) }
        let rest = found.ranking.count - shown.count
        if !shown.isEmpty, rest > 0 { lines += ["", "  \(rest.counted("place")) more rank below"] }
        return lines.map { DisplayWidth.clipped($0, to: context.terminal.width) } + lookFurther
    }

    private func symptom(_ run: SuspectRuns.BadRun) -> String {
        let place = run.symptom.place.map { "   " + $0.text } ?? ""
        let more = runs.bad.count > 1 ? ", and \((runs.bad.count - 1).counted("bad run")) more" : ""
        let line = "symptom  \(run.symptom.text) at \(run.symptom.position) of \(run.path)\(place)\(more)"
        return ControlCharacters.escaped(line)
    }

    private func block(_ suspect: Suspect) throws -> [String] {
        let record = try runs.record(of: suspect)
        let heading =
            context.style(.heading, "suspect \(suspect.rank)") + "  "
            + context.style(.commit, ControlCharacters.escaped(suspect.place.text)) + "   perhaps, "
            + (suspect.isTied ? "tied, " : "") + "score \(suspect.scoreText)"
        let commit = "commit \(suspect.first.commit) of \(runs.bad[suspect.first.run].path)"
        let lines = [suspect.text(found), commit + (record.title.map { " " + $0 } ?? "")]
        return [heading] + lines.map { "  " + ControlCharacters.escaped($0) }
    }

    private var lookFurther: [String] {
        var commands: [String] = []
        for suspect in shown.prefix(3) {
            let advice = Advice(runs.bad[suspect.first.run].path)
            if advice.isPossible { commands.append(advice.command(.show, ["\(suspect.first.commit)"])) }
        }
        if let suspect = shown.first, suspect.place.line > 0 {
            let advice = Advice(runs.bad[suspect.first.run].path)
            let source = "\(suspect.place.file):\(suspect.place.line)"
            if advice.isPossible { commands.append(advice.command(.log, [], [(.patch, nil), (.source, source)])) }
        }
        let lines = Advice.lookFurther(commands, context.style)
        return lines.isEmpty ? [] : [""] + lines
    }
}

extension Symptom {
    fileprivate var text: String {
        switch kind {
        case .condition(let text): "'\(text)'"
        case .mark(let text): "the mark '\(text)'"
        case .run: "the run is bad"
        }
    }
}
