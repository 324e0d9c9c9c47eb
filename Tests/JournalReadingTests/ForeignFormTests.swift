import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Lines that others wrote")
struct ForeignFormTests {
    let folder = TemporaryFolder()

    func made(_ seed: UInt64) throws -> (maker: JournalMaker, journal: Journal) {
        var maker = JournalMaker(seed: seed)
        maker.run(commits: 60)
        var form = ForeignForm(seed: seed)
        let path = folder.write(form.journal(maker.bytes), to: "\(seed).jsonl")
        return (maker, try Journal.open(path, access: .random))
    }

    @Test(
        "a walk that is tolerant of the form gives the states that strict reading gives",
        arguments: seeds(1..<41))
    func states(seed: UInt64) throws {
        var (maker, journal) = try made(seed)
        for position in maker.start...maker.seq {
            guard let expected = maker.states[position] else { continue }
            #expect(
                try journal.state(at: CommitNumber(position)).value == expected, "seed \(seed), position \(position)")
            let paths = maker.paths()
            #expect(
                try journal.state(at: CommitNumber(position), pruning: paths).value == expected.pruned(to: paths),
                "seed \(seed), position \(position), \(paths.patterns)")
        }
    }

    @Test("no line that matters is passed over, whatever its form", arguments: seeds(1..<41))
    func filtered(seed: UInt64) throws {
        var (maker, journal) = try made(seed)
        let paths = maker.paths()
        var filter = RecordFilter(touching: paths)
        var interests = Interest([paths, .everything])
        var reader = journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit else { continue }
            let commit = try line.decode { (object) throws(RecordFault) in try CommitRecord(object) }
            let inStore = PathSet(paths.root?.node(forKey: commit.store))
            let matters = commit.patch.operations.contains { inStore.mayBeTouched(by: $0) }
            let touched = interests.touched(by: line)
            #expect(!matters || touched[0], "seed \(seed), commit \(line.seq)")
            #expect(commit.patch.isEmpty || touched[1])
            #expect(!matters || filter.verdict(line) == .wanted, "seed \(seed), commit \(line.seq)")
        }
    }

    @Test(
        "the operations of a patch are found as a strict reader finds them", arguments: seeds(1..<201))
    func operations(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let state = random.state()
        let patch = JSONPatch.difference(from: state, to: random.state())
        var form = ForeignForm(seed: seed)
        let text = form.text(patch.json)
        let strict = try JSONPatch(json: try JSONParser.parse(text))
        let tape = JSONTape()
        defer { withExtendedLifetime(tape) {} }
        try text.withUnsafeBytes { bytes in
            var found: [JSONPatch.Operation] = []
            for element in try tape.read(bytes).elements {
                // A decoy of another type sends the patch to the strict reader.
                guard let operation = PatchOperation(element) else { return }
                #expect(operation.isWhole)
                let path = try JSONPointer(parsing: #require(operation.path?.string))
                let (value, old) = (operation.value?.value(), operation.old?.value())
                switch operation.name {
                case .add: found.append(.add(path, try #require(value)))
                case .remove: found.append(.remove(path, old: old))
                case .replace: found.append(.replace(path, try #require(value), old: old))
                case .move:
                    found.append(.move(from: try JSONPointer(parsing: #require(operation.from?.string)), to: path))
                default: Issue.record("seed \(seed): an operation that is not in the patch")
                }
            }
            #expect(found == strict.operations, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test("a number or a kind that stands twice, and differs, is damage where the line is read")
    func contradiction() throws {
        let header = #"{"seq":0,"kind":"journal","version":1,"id":"x"}"#
        let store = #"{"seq":0,"kind":"store","store":"s","state":1}"#
        for commit in [
            #"{"seq":1,"kind":"commit","store":"s","patch":[],"seq":2}"#,
            #"{"seq":1,"kind":"commit","store":"s","patch":[],"kind":"mark"}"#,
        ] {
            let path = folder.write("\(header)\n\(store)\n\(commit)\n", to: "twice.jsonl")
            let journal = try Journal.open(path, access: .random)
            #expect(throws: JournalError.self) { try journal.state(at: CommitNumber(1)) }
        }
    }
}
