import JSONCore
import TestSupport
import Testing

@testable import Debugger

@Suite("Frames and messages of the editor's protocol")
struct DapFramingTests {
    private static func frame(_ text: String) -> [UInt8] { DapFrames.frame(Array(text.utf8)) }

    @Test("texts come out whole, however the bytes are cut", arguments: seeds(0..<20))
    func cuts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = (0..<8).map { _ in
            (0..<Int.random(in: 0..<300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let bytes = texts.flatMap { text in
            Bool.random(using: &random)
                ? DapFrames.frame(text)
                : Array("content-length:\(text.count)\r\nContent-Type: x\r\n\r\n".utf8) + text
        }
        var (frames, found, place) = (DapFrames(), [[UInt8]](), 0)
        while place < bytes.count {
            let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
            frames.add(bytes[place..<end])
            place = end
            while let text = try frames.next() { found.append(text) }
        }
        #expect(found == texts, "seed \(seed)")
        try frames.end()
    }

    @Test(
        "a head without a length that is a number is refused",
        arguments: [
            "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: \r\n\r\n", "\r\n\r\n",
            "Content-Length 3\r\n\r\n", "Other: 3\r\n\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n\r\n",
            "Content-Length: 1 1\r\n\r\n", String(repeating: "x", count: 5000),
        ])
    func heads(text: String) {
        var frames = DapFrames()
        frames.add(text.utf8)
        #expect(throws: DapFrames.Fault.head) { try frames.next() }
    }

    @Test(
        "what is no protocol is known as soon as it comes, also where the client then waits",
        arguments: [
            "hello", "hello\n", #"{"seq":1,"type":"request"}"#, "GET / HTTP/1.1\r\n", "Content-Length: 2\n\n{}", "\n",
        ])
    func foreign(text: String) {
        var frames = DapFrames()
        frames.add(text.utf8)
        // A word may still become the name of a line.
        if text == "hello" {
            #expect((try? frames.next()) == .some(nil))
        } else {
            #expect(throws: DapFrames.Fault.head) { try frames.next() }
        }
    }

    @Test("a text over 64 MiB is refused by its head, also of more digits than a number has")
    func long() throws {
        for digits in ["67108865", "99999999999999999999999999"] {
            var frames = DapFrames()
            frames.add("Content-Length: \(digits)\r\n\r\n".utf8)
            #expect(throws: DapFrames.Fault.self) { try frames.next() }
        }
        var frames = DapFrames()
        frames.add("Content-Length: 67108864\r\n\r\n".utf8)
        #expect(try frames.next() == nil)
    }

    @Test("an input that ends within a frame is cut, at each byte but its ends")
    func cutInput() throws {
        let bytes = Self.frame("{}")
        for count in 0...bytes.count {
            var frames = DapFrames()
            frames.add(bytes[..<count])
            while try frames.next() != nil {}
            let isWhole = count == 0 || count == bytes.count
            #expect(((try? frames.end()) != nil) == isWhole, "after \(count) bytes")
        }
    }

    @Test("a message that is not a request is one that can be answered only where it has a number")
    func messages() {
        func fault(_ text: String) -> DapRequest.Fault? {
            do throws(DapRequest.Fault) {
                _ = try DapRequest(Array(text.utf8))
                return nil
            } catch { return error }
        }
        #expect(fault(#"{"seq":1,"type":"request","command":"next","arguments":[]}"#) == nil)
        #expect(fault(#"{"seq":1,"type":"request","command":"next","arguments":null}"#) == nil)
        #expect(fault(#"{"seq":1,"type":"event","event":"x"}"#) == .other)
        for text in ["", "{", "[]", "1", #"{"seq":1.5,"type":"request"}"#, #"{"type":"request","command":"next"}"#] {
            guard case .noNumber? = fault(text) else {
                Issue.record("'\(text)' has no number")
                continue
            }
        }
        for text in [
            #"{"seq":7,"type":"request"}"#, #"{"seq":7,"type":"request","command":1}"#, #"{"seq":7,"type":"x"}"#,
        ] + ["3", #""x""#, "[1]", "true"].map({ #"{"seq":7,"type":"request","command":"next","arguments":\#($0)}"# }) {
            guard case .notRequest(seq: 7, let command, _)? = fault(text) else {
                Issue.record("'\(text)' has the number 7")
                continue
            }
            #expect(command == (text.contains("next") ? "next" : ""))
        }
    }
}
