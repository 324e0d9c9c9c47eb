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
            texts = [operation.path?.raw, operation.from?.raw, operation.value, operation.old].map { text in
                text.map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    private func parts(_ patch: String) -> [Parts] {
        var patch = patch
        return patch.withUTF8 { bytes in
            var walk = PatchWalk(UnsafeRawBufferPointer(bytes))
            var parts: [Parts] = []
            while let operation = walk.next() { parts.append(Parts(operation)) }
            return parts
        }
    }

    @Test(
        "an operation of our writer reads as it does with a space in it, which the loop over its members reads",
        arguments: seeds(1..<41))
    func spaced(seed: UInt64) {
        var count = 0
        for line in WrittenLines.commits(seed) {
            let text = String(decoding: line, as: UTF8.self)
            guard let start = text.ranges(of: #""patch":["#).first else { continue }
            let patch = "[" + text[start.upperBound...]
            let written = parts(patch)
            #expect(parts(patch.replacing(#"{"op":"#, with: #"{ "op":"#)) == written, "\(text)")
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
