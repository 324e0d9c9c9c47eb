import Foundation
import TestSupport
import Testing

/// No bytes make the program trap or hang: it ends by itself, with one of its own statuses.
struct AnyBytesTests {
    private static let commands: [[String]] = [
        ["info"], ["log", "--all"], ["log", "-p", "--format", "human"], ["show", "3"], ["state"], ["replay"],
        ["replay", "--reverse"], ["diff", "start", "end"], ["bisect", "--bad", ".cart.total < 0"],
        ["bisect", "--monotone", "--bad", ".cart.total < 0"], ["derived", "--all"], ["verify"],
    ]

    @Test("bytes at random are no journal", arguments: [1, 2, 3] as [UInt64])
    func randomBytes(seed: UInt64) async throws {
        let folder = TemporaryFolder()
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let path = folder.write(bytes, to: "random.jsonl")
        for command in Self.commands {
            let run = try await inspect(command, path, in: folder)
            #expect(run.status == 3, "seed \(seed) \(run)")
        }
    }

    @Test("a journal with a few bytes changed is answered or refused", arguments: seeds(1..<13))
    func changedBytes(seed: UInt64) async throws {
        let folder = TemporaryFolder()
        var generator = SeededGenerator(seed: seed)
        var bytes = [UInt8](try Data(contentsOf: BuiltProducts.samples.appendingPathComponent("crashed.jsonl")))
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let at = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...40, using: &generator)))
            default: bytes.insert(contentsOf: Array("}],\"0-9{\n".utf8).shuffled(using: &generator), at: at)
            }
        }
        let path = folder.write(bytes, to: "changed.jsonl")
        for command in Self.commands {
            let run = try await inspect(command, path, in: folder)
            #expect(run.status.map { (0...5).contains($0) } ?? false, "seed \(seed) \(run)")
        }
    }

    private func inspect(_ command: [String], _ path: String, in folder: TemporaryFolder) async throws -> ProgramRun {
        try await ProgramRun.of(
            BuiltProducts.stateInspect, [command[0], path] + command.dropFirst(), in: folder)
    }
}
