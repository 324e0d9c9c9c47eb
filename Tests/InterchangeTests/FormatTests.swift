import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

/// A file of each format that is a definition: what becomes of it, and of what does not fit among it.
@Suite("Formats that are definitions")
struct FormatTests {
    private static func reader(_ sample: FormatSample) throws -> JSONLinesReader {
        guard !sample.queries.isEmpty, let format = ImportFormat(rawValue: sample.format),
            var mapping = FormatDefinition.builtIn(sample.format)?.mapping()
        else { return defined(sample.format) }
        mapping.state = try sample.queries["state"].map { .init("--state", try Query($0)) }
        mapping.name = try sample.queries["name"].map { .init("--name", try Query($0)) }
        return JSONLinesReader(mapping, of: format)
    }

    @Test("each format has a sample")
    func everyFormat() {
        let formats = Set(FormatSample.all.map(\.format))
        #expect(
            ImportFormat.allCases.map(\.rawValue).filter {
                FormatDefinition.builtIn($0) != nil && !formats.contains($0)
            } == [])
    }

    @Test("a sample becomes the run that it says", arguments: FormatSample.all)
    func run(sample: FormatSample) throws {
        let reader = try Self.reader(sample)
        let run = try Imported(sample.text, as: reader, identities: reader.identities)
        #expect(try run.states.last == json(sample.state))
        #expect(try run.records(.commit).compactMap { $0["name"]?.string } == sample.names)
        if let causes = sample.causes {
            #expect(try run.records(.commit).map { $0["cause"]?.number?.integerValue } == causes)
        }
        #expect(run.work.notes == sample.notes)
    }

    @Test(
        "what does not fit is counted and named, and nothing else of the file is lost",
        arguments: sampled(FormatSample.all))
    func bad(sample: FormatSample) throws {
        for bad in sample.bad + [("{\"zz\":[1]}", "")] {
            let whole = sample.text + "\n" + bad.text + "\n"
            let run = try Imported(whole, as: Self.reader(sample), skipsBad: true)
            #expect(run.work.run.problems.count == 1, "\(bad)")
            let message = run.work.run.problems.first.first?.diagnostic.message ?? ""
            #expect(message.hasSuffix(bad.message), "\(message)")
            #expect(try run.states.last == json(sample.state), "\(bad)")
            #expect(fault(of: whole, as: try Self.reader(sample)) != nil)
        }
    }

    @Test(
        "a file that ends in the middle of a text is reported, and what stands before is there",
        arguments: FormatSample.all.filter { $0.format != "bloc" })
    func truncated(sample: FormatSample) throws {
        let last = sample.text.split(separator: "\n").last ?? ""
        let run = try Imported(
            sample.text + "\n" + last.dropLast(last.count / 3), as: Self.reader(sample), skipsBad: true)
        #expect(run.work.run.problems.count == 1)
        #expect(try run.states.last == json(sample.state))
    }

    @Test("texts of other formats are counted, and not taken for one's own", arguments: sampled(FormatSample.all))
    func others(sample: FormatSample) throws {
        let others = FormatSample.all.filter { $0.format != sample.format }.flatMap { $0.text.split(separator: "\n") }
        let text = ([Substring(sample.text)] + others).joined(separator: "\n")
        let run = try Imported(text, as: Self.reader(sample), skipsBad: true)
        #expect(try run.states.last == json(sample.state))
        let counted = run.work.notes.compactMap { Int($0.prefix { $0 != " " }) }.reduce(0, +)
        let own = sample.notes.compactMap { Int($0.prefix { $0 != " " }) }.reduce(0, +)
        #expect(run.work.run.problems.count + counted - own >= others.count)
    }

    @Test("a sample is taken for its own format, and for no other", arguments: FormatSample.all)
    func likeness(sample: FormatSample) throws {
        let lines = sample.text.split(separator: "\n").map(String.init)
        guard let first = try? json(lines[0]) else {
            #expect(ImportFormat.likeness(ofLines: lines)?.rawValue == sample.format)
            return
        }
        #expect(ImportFormat.likeness(of: first) == ImportFormat(rawValue: sample.format).map { .format($0) })
        #expect(ImportFormat.likeness(ofLines: lines) == nil)
    }
}
