import Diagnostics
import Foundation
import Synchronization
import Testing

@testable import StateEncoding
@testable import StatePatterns
@testable import StoreCore

@Suite("States that nest deep")
struct DepthTests {
    struct Link: Encodable, Sendable {
        var value: Int
        var next: [Link] = []
    }

    indirect enum Chain: Encodable, Sendable {
        case end(Int)
        case link(Chain)
    }

    private static func chain(_ length: Int, _ value: Int) -> Chain {
        (0..<length).reduce(.end(value)) { chain, _ in .link(chain) }
    }

    private static func links(_ length: Int, _ value: Int) -> Link {
        (0..<length).reduce(Link(value: value)) { link, _ in Link(value: 0, next: [link]) }
    }

    /// Runs `body` on a thread with a stack of some size, and waits for it.
    private func onStack(ofKiB size: Int, _ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = size * 1_024
            thread.start()
        }
    }

    private static func advance(by length: Int) throws {
        let chains = try StateEncoder(chain(length, 1))
        var bytes: [UInt8] = []
        try chains.advance(to: chain(length, 2), appendingPatchTo: &bytes)
        #expect(String(decoding: bytes.suffix(40), as: UTF8.self).hasSuffix(#""value":2,"old":1}]"#))
        let links = try StateEncoder(links(length, 1))
        try links.advance(to: Self.links(length, 2), appendingPatchTo: &bytes)
        #expect(String(decoding: bytes.suffix(40), as: UTF8.self).hasSuffix(#""value":2,"old":1}]"#))
    }

    @Test("a path as long as the limit fits into a usual stack, a deep one into that of a secondary thread")
    func withinLimit() async throws {
        try await onStack(ofKiB: 8_192 * Self.stackScale) { try Self.advance(by: 250) }
        try await onStack(ofKiB: 512 * Self.stackScale) { try Self.advance(by: 20) }
    }

    @Test("the message about a state that is too deep is one that can be read")
    func shortMessage() throws {
        let error = #expect(throws: StateEncodingError.self) { try StateEncoder(Self.chain(1_000, 0)) }
        let message = try #require(error?.diagnostic.message)
        #expect(message.count < 200 && message.contains("…") && message.contains("too deep"), "\(message)")
    }

    @Test("a state is recorded on a thread with a small stack, too", arguments: [64, 128, 192, 256])
    func smallStack(size: Int) async throws {
        struct Tree: Encodable, Sendable {
            var count = 0
            var links: Link
        }
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let store = Store(Tree(links: Self.links(20, 0)), name: "tree", recorder: recorder)
        let patches = Log<String>()
        let subscription = store.subscribe(initially: false) { patches.add((try? $0.patch?.json) ?? "-") }
        // Eight times the smallest of them is not enough for the sanitizer's frames.
        let scaled = Self.stackScale == 1 ? size : (size + 64) * Self.stackScale
        try await onStack(ofKiB: scaled) { store.commit { $0.links = Self.links(20, 1) } }
        subscription.cancel()
        recorder.close()
        #expect(try journal.records("gap").isEmpty && journal.records("commit").count == 1)
        #expect(patches.entries.first?.contains(#""value":1,"old":0"#) ?? false)
        try journal.verify()
    }

    /// How much larger a stack has to be for the same depth: the thread sanitizer keeps its own state of a thread on it, and
    /// makes every frame larger.
    private static let stackScale = dlsym(nil, "__tsan_init") == nil ? 1 : 8

    @Test("beyond the limit is an error, on any stack", arguments: [512, 1_024, 8_192])
    func beyondLimit(size: Int) async throws {
        try await onStack(ofKiB: size) {
            let encoder = try StateEncoder(Self.links(3, 0))
            var bytes: [UInt8] = []
            let error = #expect(throws: StateEncodingError.self) {
                try encoder.advance(to: Self.links(1_000, 0), appendingPatchTo: &bytes)
            }
            if case .tooDeep(let limit) = error?.reason { #expect(limit <= 512) } else { Issue.record("another error") }
            #expect(throws: StateEncodingError.self) { try StateEncoder(Self.chain(1_000, 0)) }
        }
    }
}
