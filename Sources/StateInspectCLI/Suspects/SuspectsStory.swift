import Diagnostics
import JournalFormat
import JournalReading
import TimeTravel

/// Suspects for a person: each with what speaks against it, and what to type.
struct SuspectsStory {
    private let found: Suspects
    private let shown: [Suspect]
    private let runs: SuspectRuns
    private let context: CommandContext

    /// The story of some suspects.
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
        for (index, suspect) in shown.enumerated() { lines += [""] + (try block(suspect, rank: index + 1)) }
        let rest = found.ranking.count - shown.count
        if !shown.isEmpty, rest > 0 { lines += ["", "  \(rest) more of \(found.places.counted("place")) rank below"] }
        return lines.map { DisplayWidth.clipped($0, to: context.terminal.width) } + lookFurther
    }

    private func symptom(_ run: SuspectRuns.BadRun) -> String {
        let place = run.symptom.place.map { "   " + Self.text(of: $0) } ?? ""
        let more = runs.bad.count > 1 ? ", and \((runs.bad.count - 1).counted("bad run")) more" : ""
        let line = "symptom  \(run.symptom.text) at \(run.symptom.position) of \(run.path)\(place)\(more)"
        return ControlCharacters.escaped(line)
    }

    private func block(_ suspect: Suspect, rank: Int) throws -> [String] {
        let record = try runs.record(of: suspect)
        let run = runs.bad[suspect.first.run]
        let heading =
            context.style(.heading, "suspect \(rank)") + "  "
            + context.style(.commit, ControlCharacters.escaped(Self.text(of: suspect.place))) + "   score "
            + suspect.scoreText
        let title = record.title.map { " " + $0 } ?? ""
        return [heading]
            + (suspect.texts + ["first at commit \(suspect.first.commit) of \(run.path)\(title)"])
            .map { "  " + ControlCharacters.escaped($0) }
    }

    /// As `Shop/Cart.swift:42  applyDiscount(_:)`.
    static func text(of place: CommitPlace) -> String {
        let source = place.line > 0 ? "\(place.file):\(place.line)" : place.file
        return source + (place.function.isEmpty ? "" : "  \(place.function)")
    }

    /// What to type to look at the first suspects.
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
    /// What shows, in words.
    var text: String {
        switch kind {
        case .condition(let text): "'\(text)'"
        case .abort(let text): "a commit threw '\(text)'"
        case .mark(let text): "the mark '\(text)'"
        case .broken(let text, let changes): "'\(text)' held through \(changes.counted("change")), and broke"
        case .run: "the run is bad"
        }
    }
}

extension Suspect {
    /// As `0.87`.
    var scoreText: String {
        let hundredths = Int((score * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    /// What speaks against it, a sentence each.
    var texts: [String] {
        let met = "\(bad.with) of \(bad.of.counted("trial")) that failed, \(good.with) of \(good.of) that passed"
        var texts = [signText + " in " + met]
        if commits.idle > 0 { texts.append("\(commits.idle) of its \(commits.all.counted("commit")) changed nothing") }
        return texts
    }

    private var signText: String {
        switch sign {
        case .made: "it committed"
        case .caused(let by?): "it committed because of \(SuspectsStory.text(of: by))"
        case .caused(nil): "it committed without a cause"
        case .changes(0): "it committed without a change"
        case .changes(let count): "it committed with \(count.counted("change"))"
        case .after(let place?): "it committed directly after \(SuspectsStory.text(of: place))"
        case .after(nil): "it committed first"
        }
    }
}
