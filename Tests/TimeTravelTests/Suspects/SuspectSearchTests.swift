import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

/// A run of an app with one store, a commit for each letter; the letter is the place.
struct LetterRun {
    let journal: Journal
    let letters: [Character]
    /// The cause of each commit, by its index.
    let causes: [Int?]
    private let folder = TemporaryFolder()

    /// - Parameters:
    ///   - letters: a capital letter sets `bad`, a digit after a letter is the number of changes.
    ///   - causes: commits by their numbers, from 1, with those that caused them.
    init(_ letters: String, causes: [Int: Int] = [:]) throws {
        self.letters = Array(letters)
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"letters","time":"2026-03-01T12:00:00.000000Z","recorder":"test"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"S","time":"2026-03-01T12:00:00.000000Z","state":{"n":0,"bad":false}}"#,
        ]
        var known: [Int?] = []
        for (index, letter) in letters.enumerated() {
            let seq = index + 1
            let cause = causes[seq].map { ",\"cause\":\($0)" } ?? ""
            let patch =
                letter.isUppercase
                ? #"[{"op":"replace","path":"/bad","value":true}]"#
                : letter == "z" ? "[]" : #"[{"op":"replace","path":"/n","value":\#(seq)}]"#
            lines.append(
                #"{"seq":\#(seq),"kind":"commit","store":"s","version":\#(seq),"time":"2026-03-01T12:00:00.000000Z","#
                    + #""at":{"file":"App/App.swift","line":\#(Self.line(letter)),"column":1,"function":"\#(letter.lowercased())()"}"#
                    + cause + #","patch":\#(patch)}"#)
            known.append(causes[seq].map { $0 - 1 })
        }
        self.causes = known
        let path = folder.path + "/run.jsonl"
        folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "run.jsonl")
        journal = try Journal.open(path, access: .random)
    }

    static func line(_ letter: Character) -> Int { Int(Character(letter.lowercased()).asciiValue ?? 0) }

    /// Where it is bad first.
    func symptom() throws -> Symptom? {
        let question = Symptom.Question(bad: try Query(".s.bad"), named: "bad")
        let range = try #require(PositionRange(journal.start, try journal.lastCommit))
        return try Symptom.first(of: [question], in: journal, range).symptom
    }
}

@Suite("Suspects")
struct SuspectSearchTests {
    /// The suspects of runs, in which the places of the symptoms are where they can show.
    ///
    /// - Parameter symptoms: what the conditions are called that the bad runs do not hold, one after another.
    private func suspects(
        _ bad: [LetterRun], good: [LetterRun] = [], symptoms names: [String] = ["bad"]
    ) throws -> Suspects {
        let symptoms = try bad.enumerated().map { index, run in
            let symptom = try #require(try run.symptom())
            return Symptom(.condition(names[index % names.count]), symptom.position, symptom.place)
        }
        var search = SuspectSearch(checks: Set(symptoms.compactMap(\.place)))
        for (index, (run, symptom)) in zip(bad, symptoms).enumerated() {
            #expect(try search.add(run.journal, symptom, run: index))
        }
        for run in good { #expect(try search.add(run.journal, nil, run: 0)) }
        return search.suspects()
    }

    private func names(_ suspects: Suspects) -> String {
        String(suspects.ranking.compactMap(\.place.function.first))
    }

    @Test("what was done in the trial that failed alone comes first, with the numbers that say so")
    func oneRun() throws {
        // 'c' looks whether all is well, with what it finds at the end.
        let found = try suspects([LetterRun("abcabcabxC")])
        let first = try #require(found.ranking.first)
        #expect(first.place.function == "x()")
        #expect(first.score == 1)
        #expect(first.sign == .made)
        #expect(first.bad == Suspect.Share(with: 1, of: 1))
        #expect(first.good == Suspect.Share(with: 0, of: 2))
        #expect(first.first.commit == CommitNumber(9))
        #expect(found.trials == (failed: 1, passed: 2))
        #expect(!found.isAbstaining)
    }

    @Test("what comes after the symptom is not looked at")
    func afterTheSymptom() throws {
        let found = try suspects([LetterRun("abcabxCyyyy")])
        #expect(!names(found).contains("y"))
        #expect(names(found).first == "x")
    }

    @Test("a commit that changed nothing tells a place that always did")
    func noChange() throws {
        let found = try suspects([LetterRun("abcabcazC")])
        #expect(found.ranking.first?.place.function == "z()")
        #expect(found.ranking.first?.commits.idle == 1)
    }

    @Test("a cause tells a place that commits in good runs too")
    func causes() throws {
        let found = try suspects(
            [LetterRun("aebC", causes: [3: 2])], good: [LetterRun("aebc", causes: [3: 1])])
        let suspect = try #require(found.ranking.first { $0.place.function == "b()" })
        #expect(suspect.sign == .caused(by: CommitPlace(file: "App/App.swift", line: 101, function: "e()")))
        #expect(found.ranking.first?.place == suspect.place)
    }

    @Test("of two faults both come first: what the first suspect explains is taken away")
    func twoFaults() throws {
        let bad = try (0..<6).map { try LetterRun($0 % 3 == 0 ? "abyabC" : "abxabC") }
        let found = try suspects(bad, good: (0..<6).map { _ in try LetterRun("ababc") })
        #expect(names(found).prefix(2) == "xy")
    }

    @Test("two faults that show in two ways both come first, whatever their runs have in common besides")
    func twoSymptoms() throws {
        let bad = try (0..<8).map { try LetterRun($0 % 2 == 0 ? "abvwxC" : "abvwyC") }
        let good = try (0..<8).map { try LetterRun($0 == 0 ? "abvwc" : "abc") }
        #expect(try names(suspects(bad, good: good, symptoms: ["one", "two"])).prefix(3).sorted() == ["v", "x", "y"])
    }

    @Test("where runs are only said to be bad, what is there by chance seldom stands out, and what is not mostly does")
    func chanceOfSeveral() throws {
        let letters = "abdefghijklmnopqrstuvwxy"
        var (named, missed) = (0, 0)
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            func run(_ end: String = "") throws -> Journal {
                try LetterRun(String((0..<40).map { _ in letters.randomElement(using: &random)! }) + end).journal
            }
            func found(_ bad: [Journal], _ good: [Journal]) throws -> Suspects {
                var search = SuspectSearch(checks: [])
                for journal in bad { _ = try search.add(journal, try Symptom.end(of: journal), run: 0) }
                for journal in good { _ = try search.add(journal, nil, run: 0) }
                return search.suspects()
            }
            let good = try (0..<4).map { _ in try run() }
            if try !found((0..<4).map { _ in try run() }, good).isAbstaining { named += 1 }
            let planted = try found((0..<4).map { _ in try run("z") }, good)
            #expect(names(planted).first == "z", "seed \(seed)")
            if planted.isAbstaining { missed += 1 }
        }
        #expect(named <= 6 && missed <= 6, "named \(named), missed \(missed)")
    }

    @Test("nothing stands out where nothing passed, nor where the good runs did the same")
    func abstains() throws {
        #expect(try suspects([LetterRun("abdefghijklmC")]).isAbstaining)
        #expect(try suspects([LetterRun("abxC")]).isAbstaining)
        let same = try suspects([LetterRun("ababC")], good: [LetterRun("ababc"), LetterRun("ababc")])
        #expect(same.isAbstaining)
        #expect(SuspectSearch(checks: []).suspects().isAbstaining)
    }

    @Test("where each trial has something of its own, what the one that failed has seldom stands out")
    func chance() throws {
        let letters = "abdefghijklmnopqrstuvwxyc"
        var named = 0
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let run = String((0..<600).map { _ in letters.randomElement(using: &random)! })
            if try !suspects([LetterRun(run + "C")]).isAbstaining { named += 1 }
            #expect(try names(suspects([LetterRun(run + "zC")])).first == "z", "seed \(seed)")
            #expect(try !suspects([LetterRun(run + "zC")]).isAbstaining, "seed \(seed)")
        }
        #expect(named <= 8)
    }

    @Test("a run of another program is not added")
    func otherProgram() throws {
        var search = SuspectSearch(checks: [])
        let run = try LetterRun("abC")
        #expect(try search.add(run.journal, try run.symptom(), run: 0))
        #expect(try !search.add(try LetterRun("xyz").journal, nil, run: 0))
        #expect(search.suspects().trials.passed == 0)
    }

    @Test("scores are those of trials that are cut and counted plainly", arguments: seeds(0..<60))
    func plainCounts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func run(_ end: String) throws -> LetterRun {
            let count = Int.random(in: 2...24, using: &random)
            let letters = (0..<count).map { _ in "abcdez".randomElement(using: &random)! }
            let causes = (2...count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                .map { ($0, Int.random(in: 1..<$0, using: &random)) }
            return try LetterRun(String(letters) + end, causes: Dictionary(uniqueKeysWithValues: causes))
        }
        let bad = try (0..<Int.random(in: 1...4, using: &random)).map { _ in try run("C") }
        let good = try (0..<Int.random(in: 0...4, using: &random)).map { _ in try run("ca") }
        let found = try suspects(bad, good: good)
        let plain = PlainTrials(bad: bad, good: good)
        #expect(found.trials.passed == plain.passed.count, "seed \(seed)")
        #expect(found.trials.failed == plain.failed.count, "seed \(seed)")
        let scores = Dictionary(
            uniqueKeysWithValues: found.ranking.map { (Character($0.place.function.prefix(1).description), $0.score) })
        #expect(Set(scores.keys) == plain.places, "seed \(seed)")
        // Rounds ask what is left of the trials, so only the first one has all of them.
        for (place, score) in scores where place == found.ranking.first?.place.function.first {
            #expect(abs(score - plain.score(of: place)) < 1e-12, "seed \(seed), '\(place)'")
        }
        let best = plain.places.map(plain.score).max() ?? 0
        let first = try #require(found.ranking.first)
        // One run alone also counts commits that changed nothing.
        #expect(!good.isEmpty ? abs(first.score - best) < 1e-12 : first.score <= best + 1e-12, "seed \(seed)")
    }
}

/// Trials as lists of signs in words.
private struct PlainTrials {
    private(set) var failed: [Set<String>] = []
    private(set) var passed: [Set<String>] = []

    init(bad: [LetterRun], good: [LetterRun]) {
        for run in bad { add(run, isBad: true) }
        for run in good { add(run, isBad: false) }
    }

    private mutating func add(_ run: LetterRun, isBad: Bool) {
        var trial: Set<String> = []
        var isOpen = false
        for (index, letter) in run.letters.enumerated() {
            let place = letter.lowercased()
            let cause = run.causes[index].map { run.letters[$0].lowercased() } ?? "nothing"
            let before = index > 0 ? run.letters[index - 1].lowercased() : "nothing"
            trial.formUnion(["\(place)", "\(place) by \(cause)", "\(place) after \(before)"])
            trial.insert("\(place) changes \(letter == "z" ? 0 : 1)")
            isOpen = true
            if letter.isUppercase {
                failed.append(trial)
                return
            }
            guard place == "c" else { continue }
            passed.append(trial)
            trial = []
            isOpen = false
        }
        if isOpen { passed.append(trial) }
    }

    /// The places of the trials that failed.
    var places: Set<Character> { Set(failed.flatMap { $0.filter { $0.count == 1 }.compactMap(\.first) }) }

    func score(of place: Character) -> Double {
        let signs = Set(failed.flatMap(\.self).filter { $0.first == place })
        return ((signs.map(ochiai).max() ?? 0) + ochiai(String(place))) / 2
    }

    private func ochiai(_ sign: String) -> Double {
        let bad = Double(failed.count { $0.contains(sign) })
        let good = Double(passed.count { $0.contains(sign) })
        return bad == 0 ? 0 : bad / (Double(failed.count) * (bad + good)).squareRoot()
    }
}
