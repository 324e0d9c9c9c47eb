import Foundation
import StateStore
import TestSupport
import Testing

struct EnvironmentTests {
    @Test("STATE_JOURNAL records every store that names no recorder, in one journal, and none that is made without one")
    func folder() async throws {
        let folder = TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("STATE_JOURNAL", path, 1)
            let (cart, session) = (Store(Cart()), Store(Session()))
            let silent = Store(Session(), name: "silent", recorder: nil)
            cart.commit { $0.count = 1 }
            session.commit { $0.visits = 1 }
            silent.commit { $0.visits = 2 }
            withExtendedLifetime((cart, session, silent)) { exit(0) }
        }
        let name = try #require(folder.names.first)
        #expect(folder.names.count == 1)
        let parts = name.split(separator: "-")
        #expect(name.hasSuffix(".jsonl") && parts.count >= 3 && parts[parts.count - 2].hasSuffix("Z"), "\(name)")
        try TemporaryJournal().verify(at: folder.path(name))
        let text = TemporaryFolder.lines(folder.path(name))
        #expect(text.count { $0.contains(#""kind":"commit""#) } == 2)
        #expect(!text.contains { $0.contains("silent") })
        #expect(text.last?.contains(#""kind":"end""#) ?? false)
    }

    @Test("a folder that is not there is told once on standard error, and the app goes on")
    func noFolder() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("STATE_JOURNAL", "/nowhere/100%p", 1)
            for _ in 0..<3 {
                let store = Store(Cart())
                store.commit { $0.count = 1 }
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.components(of: "StateStore: error:") == 1, "\(message)")
        #expect(message.contains("'/nowhere/100%p/") && message.contains("make the folder first"), "\(message)")
        #expect(!message.contains("every commit up to"), "there is no file")
    }

    @Test("without the variable, or with an empty one, nothing is recorded")
    func off() async {
        await #expect(processExitsWith: .success) {
            setenv("STATE_JOURNAL", "", 1)
            #expect(Recorder.current == nil && Recorder.fromEnvironment == nil)
        }
    }
}

extension String {
    /// How often a text is in it.
    func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
