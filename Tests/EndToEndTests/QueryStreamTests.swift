import Foundation
import Testing

/// `query` on what comes in while it runs.
@Suite("query on a stream")
struct QueryStreamTests {
    @Test("an output is printed as soon as its text is whole", .timeLimit(.minutes(15)))
    func atOnce() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProducts.stateInspect)
        process.arguments = ["query", ".a", "-"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        for number in 1...3 {
            try input.fileHandleForWriting.write(contentsOf: Data("{\"a\":\(number)} {\"a\"".utf8))
            #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "\(number)\n")
            try input.fileHandleForWriting.write(contentsOf: Data(":0}".utf8))
            #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "0\n")
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
