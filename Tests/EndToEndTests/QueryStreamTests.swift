import Foundation
import TestSupport
import Testing

/// `query` on what comes in while it runs.
@Suite("query on a stream")
struct QueryStreamTests {
    @Test("an output is printed as soon as its text is whole")
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

    @Test("'inputs' prints as the texts come, too")
    func inputsAtOnce() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltProducts.stateInspect)
        process.arguments = ["query", "-n", "inputs | . + 1"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // One byte and a line break are fewer than show a packed file.
        for number in 1...3 {
            try input.fileHandleForWriting.write(contentsOf: Data("\(number)\n".utf8))
            #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "\(number + 1)\n")
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private static let text = #"{"a":[1,"x"]} 2 "#

    @Test("what is packed is unpacked, of a file and of standard input", arguments: ["gzip", "zstd"])
    func packed(_ program: String) async throws {
        let folder = TemporaryFolder()
        folder.write(Data(Self.text.utf8), to: "a.json")
        let packing = try await shell("\(program) -c < a.json > a.json.packed", in: folder)
        guard packing.status == 0 else { return }  // There is no such program on this machine.
        for line in [
            "query . a.json.packed", "query . - < a.json.packed", "cat a.json.packed | query .",
            "query -n inputs a.json.packed",
        ] {
            let run = try await shell(line, in: folder)
            #expect(run.text == "{\"a\":[1,\"x\"]}\n2\n" && run.status == 0, "\(run)")
        }
        let cut = try await shell("head -c 20 a.json.packed > cut; query . cut a.json", in: folder)
        #expect(cut.text.hasSuffix("{\"a\":[1,\"x\"]}\n2\n") && cut.status == 3, "\(cut)")
    }

    @Test("a folder for temporary files that is not there is named")
    func temporaryFolder() async throws {
        let folder = TemporaryFolder()
        folder.write(Data(Self.text.utf8), to: "a.json")
        let run = try await shell("gzip -c a.json | TMPDIR=/no/such/folder query . -", in: folder)
        #expect(run.status == 3 && run.errors.contains("mkstemp in /no/such/folder"), "\(run)")
    }

    /// Runs a line in which 'query' is the command under test.
    private func shell(_ line: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        let function = "query() { '\(BuiltProducts.stateInspect)' query \"$@\"; }\n"
        return try await ProgramRun.of("bash", ["-c", function + line], in: folder)
    }
}
