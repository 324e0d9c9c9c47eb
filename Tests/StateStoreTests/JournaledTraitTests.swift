import StateStore
import StateStoreTesting
import Testing

struct JournaledTraitTests {
    @Test("a journaled test has a recorder of its own, which stores find by themselves", .journaled)
    func recorder() throws {
        let recorder = try #require(Recorder.current)
        let store = Store(Cart())
        store.commit { $0.count += 1 }
        #expect(StoreRegistry.live.contains { $0.journal == recorder.path && $0.version == 1 })
    }

    @Test("without the trait nothing is recorded")
    func none() {
        #expect(Recorder.current == nil)
    }
}
