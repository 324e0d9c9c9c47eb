import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

/// A run of an app with a store that 'c' alone writes, and one that the others write, a commit for each letter; the letter is
/// the place.
struct LetterRun {
    let journal: Journal
    let letters: [Character]
    /// The cause of each commit, by its index.
    let causes: [Int?]
    private let folder = TemporaryFolder()

    /// - Parameters:
    ///   - letters: a capital letter sets `bad` of its store, 'z' changes nothing, and 'y' writes a negative number.
    ///   - causes: commits by their numbers, from 1, with those that caused them.
    init(_ letters: String, causes: [Int: Int] = [:]) throws {
        self.letters = Array(letters)
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"letters","time":"2026-03-01T12:00:00.000000Z","recorder":"test"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"S","time":"2026-03-01T12:00:00.000000Z","state":{"n":0,"bad":false}}"#,
            #"{"seq":0,"kind":"store","store":"report","type":"R","time":"2026-03-01T12:00:00.000000Z","state":{"n":0,"bad":false}}"#,
        ]
        var known: [Int?] = []
        for (index, letter) in letters.enumerated() {
            let seq = index + 1
            let cause = causes[seq].map { ",\"cause\":\($0)" } ?? ""
            let patch =
                letter.isUppercase
                ? #"[{"op":"replace","path":"/bad","value":true}]"#
                : letter == "z" ? "[]" : #"[{"op":"replace","path":"/n","value":\#(letter == "y" ? -1 : 1)}]"#
            let store = letter.lowercased() == "c" ? "report" : "s"
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"\#(store)","version":\#(seq),"time":"2026-03-01T12:00:00.000000Z","#
                    + #""at":{"file":"App/App.swift","line":\#(Self.line(letter)),"column":1,"function":"\#(letter.lowercased())()"}"#
                    + cause + #","patch":\#(patch)}"#)
            known.append(causes[seq].map { $0 - 1 })
        }
        self.causes = known
        let path = folder.path + "/run.jsonl"
        folder.write(lines.joined(separator: "\n") + "\n", to: "run.jsonl")
        journal = try Journal.open(path, access: .random)
    }

    static func line(_ letter: Character) -> Int { Int(Character(letter.lowercased()).asciiValue ?? 0) }

    /// Where it turned bad.
    func symptom(_ query: String = ".report.bad") throws -> Symptom {
        let question = Symptom.Question(bad: try Query(query), named: "bad")
        let range = try #require(PositionRange(journal.start, try journal.lastCommit))
        return try #require(try Symptom.first(of: [question], in: journal, range).symptom)
    }
}

@Suite("Suspects")
struct SuspectSearchTests {
    private func suspects(_ bad: [LetterRun], good: [LetterRun] = [], _ query: String? = ".report.bad") throws
        -> Suspects
    {
        var search = SuspectSearch()
        for (index, run) in bad.enumerated() {
            let symptom = if let query { try run.symptom(query) } else { try Symptom.end(of: run.journal) }
            #expect(try search.add(run.journal, symptom, run: index))
        }
        for run in good { #expect(try search.add(run.journal, nil, run: 0)) }
        return search.suspects()
    }

    private func names(_ suspects: Suspects) -> String { String(suspects.ranking.compactMap(\.place.function.first)) }

    @Test(
        "of one run, the commit that turned it bad comes first, then its causes, what else wrote that, and what came before"
    )
    func followed() throws {
        let found = try suspects([LetterRun("abdeafgB", causes: [8: 4, 4: 3])], ".s.bad")
        #expect(found.comparison == .none && found.abstention == nil)
        #expect(names(found) == "bedgfa")
        #expect(found.ranking.map(\.element).prefix(4) == [.symptom, .causeOfSymptom, .causeOfSymptom, .before])
        #expect(found.ranking.map(\.rank) == Array(1...6))
        #expect(found.ranking.first?.first.commit == CommitNumber(8))
    }

    @Test("the symptom is where it turned bad to stay, or for the first time where it did not stay")
    func toStay() throws {
        #expect(try LetterRun("abyabya").symptom(".s.n < 0").position == CommitNumber(3))
        #expect(try LetterRun("abyabyz").symptom(".s.n < 0").position == CommitNumber(6))
    }

    @Test(
        "of one run that one place alone reports, what was done before the bad report alone comes first, and who reports last"
    )
    func trials() throws {
        let found = try suspects([LetterRun("abcabcabxCuuu")])
        let first = try #require(found.ranking.first)
        #expect(names(found) == "xbac" && found.comparison == .trials)
        #expect(first.element == .place && first.score == 1)
        #expect(first.bad == Suspect.Share(with: 1, of: 1) && first.good == Suspect.Share(with: 0, of: 2))
        #expect(first.first.commit == CommitNumber(9))
    }

    @Test("of several runs, what bad ones did up to their symptom and good ones did not comes first")
    func runs() throws {
        let found = try suspects(
            [LetterRun("abxCz"), LetterRun("axbC")], good: [LetterRun("abcz"), LetterRun("bac"), LetterRun("abc")])
        #expect(names(found).first == "x" && !names(found).contains("z") && found.comparison == .runs)
        #expect(found.ranking.first?.bad == Suspect.Share(with: 2, of: 2))
        #expect(found.ranking.first?.first.commit == CommitNumber(3))
    }

    @Test("a place that commits in good runs too is told by what caused it, or by what it wrote")
    func elements() throws {
        let caused = try suspects(
            [LetterRun("aebC", causes: [3: 2])],
            good: [LetterRun("aebc", causes: [3: 1]), LetterRun("aebc", causes: [3: 1])])
        #expect(caused.ranking.first?.element == .cause(CommitPlace(file: "App/App.swift", line: 101, function: "e()")))
        #expect(names(caused).first == "b")
    }

    @Test("a question about what several places write names the place that wrote it, whatever good runs did")
    func direct() throws {
        let found = try suspects(
            [LetterRun("axbB"), LetterRun("xabB")], good: [LetterRun("abb"), LetterRun("abb")], ".s.bad")
        #expect(names(found).first == "b")
    }

    @Test("runs that are only said to be bad are counted whole, and only what is no chance is named")
    func unknownSymptom() throws {
        func runs(_ letters: String) throws -> [LetterRun] { try (0..<8).map { _ in try LetterRun(letters) } }
        let found = try suspects(runs("abx"), good: runs("ab"), nil)
        #expect(names(found).first == "x" && found.abstention == nil)
        #expect(try suspects(Array(runs("abx").prefix(2)), good: runs("ab"), nil).abstention == nil)
        // Of many places some are in two bad runs and in no good one by chance.
        let letters = "abdefghijklmnopqrstuvw"
        let few = try suspects(Array(runs(letters + "x").prefix(2)), good: Array(runs(letters).prefix(2)), nil)
        #expect(few.abstention == .nothing)
        #expect(try suspects([LetterRun("abx")], good: [LetterRun("ab")], nil).abstention == .fewRuns)
        #expect(SuspectSearch().suspects().ranking.isEmpty)
    }

    @Test("places that nothing tells apart share a rank, and more than three that share the first are not named")
    func ties() throws {
        func found(_ bad: String) throws -> Suspects {
            try suspects((0..<9).map { _ in try LetterRun(bad) }, good: (0..<9).map { _ in try LetterRun("ab") }, nil)
        }
        let two = try found("abuv")
        #expect(two.ranking.map(\.rank) == [1, 1, 3, 3] && two.ranking.allSatisfy(\.isTied))
        #expect(two.abstention == nil)
        #expect(try found("abuvwd").abstention == .tie(4))
    }

    @Test("nothing stands out where good runs did the same")
    func abstains() throws {
        let same = try suspects([LetterRun("ababC")], good: [LetterRun("ababc"), LetterRun("ababc")])
        #expect(same.abstention == .nothing)
    }

    @Test("a run of another program is not added")
    func otherProgram() throws {
        var search = SuspectSearch()
        let run = try LetterRun("abC")
        #expect(try search.add(run.journal, try run.symptom(), run: 0))
        #expect(try !search.add(try LetterRun("xyz").journal, nil, run: 0))
    }

    @Test("scores are Ochiai's coefficients of what is counted plainly", arguments: seeds(0..<60))
    func plainCounts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func run(_ end: String) throws -> LetterRun {
            let count = Int.random(in: 2...24, using: &random)
            let letters = (0..<count).map { _ in "abdeyz".randomElement(using: &random)! }
            let causes = (2...count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                .map { ($0, Int.random(in: 1..<$0, using: &random)) }
            return try LetterRun(String(letters) + end, causes: Dictionary(uniqueKeysWithValues: causes))
        }
        let bad = try (0..<Int.random(in: 1...4, using: &random)).map { _ in try run("C") }
        let good = try (0..<Int.random(in: 2...4, using: &random)).map { _ in try run("c") }
        let found = try suspects(bad, good: good)
        let (failed, passed) = (bad.map(\.plainElements), good.map(\.plainElements))
        let places = Set(failed.flatMap(\.self).filter { $0.count == 1 })
        #expect(Set(found.ranking.map { String($0.place.function.prefix(1)) }) == places, "seed \(seed)")
        for suspect in found.ranking {
            let place = String(suspect.place.function.prefix(1))
            func ochiai(_ element: String) -> Double {
                let (all, other) = (failed.count { $0.contains(element) }, passed.count { $0.contains(element) })
                return Double(all) / Double(failed.count * max(all + other, 1)).squareRoot()
            }
            let best = failed.flatMap(\.self).filter { $0.first == place.first }.map(ochiai).max() ?? 0
            let expected = place == "c" ? 0 : 0.99 * ochiai(place) + 0.01 * best
            #expect(abs(suspect.score - expected) < 1e-8, "seed \(seed), '\(place)'")
        }
    }
}

extension LetterRun {
    /// What was done, in words: the place, and behind it what it wrote and what caused it.
    fileprivate var plainElements: Set<String> {
        Set(
            letters.enumerated().flatMap { index, letter in
                let place = letter.lowercased()
                let written =
                    letter.isUppercase ? "bad" : letter == "z" ? "nothing" : letter == "y" ? "negative" : "positive"
                let cause = causes[index].map { "\(place) by \(letters[$0].lowercased())" }
                return [
                    place, place + " " + written,
                    place + (letter == "z" ? " no path" : letter.isUppercase ? " bad" : " n"),
                ] + [cause].compactMap(\.self)
            })
    }
}
