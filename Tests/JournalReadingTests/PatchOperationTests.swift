import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Operations of a patch as they lie in a line")
struct PatchOperationTests {
    /// What was read of an operation.
    private struct Parts: Equatable {
        let name: PatchOperation.Name?
        let texts: [String?]

        init(_ operation: PatchOperation) {
            name = operation.name
            texts = [operation.path?.raw, operation.from?.raw, operation.value?.text, operation.old?.text].map { text in
                text.map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    private func parts(_ patch: String) -> [Parts] {
        let tape = JSONTape()
        defer { withExtendedLifetime(tape) {} }
        return Array(patch.utf8).withUnsafeBytes { bytes in
            (try? tape.read(bytes))?.elements.map { PatchOperation($0).map(Parts.init) }.compactMap(\.self) ?? []
        }
    }

    @Test("an operation is read alike whatever stands around its members", arguments: seeds(1..<41))
    func spaced(seed: UInt64) throws {
        var count = 0
        for line in WrittenLines.commits(seed) {
            guard case .object(let record) = try JSONParser.parse(line), let patch = record["patch"]?.text() else {
                continue
            }
            let written = parts(patch)
            #expect(parts(patch.replacing(#"{"op":"#, with: #"{ "\u006fp" : "#)) == written, "\(patch)")
            count += written.count
        }
        #expect(count > 30)
    }

    @Test(
        "what our writer does not write is read too",
        arguments: [
            (#"{"op":"add","path":"/a","value":1,"from":"/b"}"#, ["/a", "/b", "1", nil]),
            (#"{"op":"remove","path":"/a","value":1}"#, ["/a", nil, "1", nil]),
            (#"{"op":"replace","path":"/a","value":1,"old":2,"value":3}"#, ["/a", nil, "3", "2"]),
            (#"{"op":"replace","path":"/a","old":2,"value":1}"#, ["/a", nil, "1", "2"]),
        ] as [(String, [String?])])
    func otherForms(text: String, texts: [String?]) {
        #expect(parts("[\(text)]").map(\.texts) == [texts])
    }
}
