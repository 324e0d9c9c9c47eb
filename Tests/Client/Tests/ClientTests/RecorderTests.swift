import Foundation
import JournalFormat
import StateReplay
import StateStore
import Testing

@Suite("Recorded stores of entities, compiled into an app")
struct RecorderTests {
    /// Every version of a random run is read back from its journal.
    enum RoundTrip<Lane: RecordingLane>: RowProperty {
        static func hold<Entity: Row>(of type: Entity.Type) throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID()).jsonl").path()
            defer { try? FileManager.default.removeItem(atPath: path) }
            var random = RandomNumbers(seed: 7)
            let problems = Locked([String]())
            let recorder = try Recorder(
                path, durability: Lane.durability, onError: { error in problems.modify { $0.append("\(error)") } })
            let store = Store(AppState<Entity>(), name: "shelf", recorder: recorder)
            let total = store.derived(\.shelf.rows, named: "total") { $0.count }
            let subscription = total.subscribe { _ in }
            var versions = [store.state]
            for step in 0..<300 {
                let number = Int.random(in: 0..<60, using: &random)
                store.commit { state in
                    switch step % 5 {
                    case 0: state.count += 1
                    case 1: state.shelf.rows.remove(Entity.identity(number))
                    case 2: state.shelf.rows[Entity.identity(number)]?.value += 1
                    case 3:
                        for other in number..<number + 5 { state.shelf.rows.upsert(Entity(number: other, value: step)) }
                    default: state.shelf.batch { $0.rows.upsert(Entity(number: number, value: step)) }
                    }
                }
                versions.append(store.state)
            }
            subscription.cancel()
            recorder.close()
            #expect(problems.wrappedValue.isEmpty)
            let reader = try JournalReader(path)
            #expect(try reader.lastCommit == 300)
            for (number, version) in versions.enumerated() {
                #expect(try reader.state(at: .commit(number), of: "shelf", as: AppState<Entity>.self) == version)
            }
        }
    }

    @Test("read back as they were after each commit", arguments: RowKind.allCases)
    func roundTrip(kind: RowKind) throws { try kind.holds(RoundTrip<SynchronousLane>.self) }

    @Test("read back as they were after each commit, recorded in the background", arguments: RowKind.allCases)
    func backgroundRoundTrip(kind: RowKind) throws { try kind.holds(RoundTrip<BackgroundLane>.self) }
}

/// How a recorder writes, as a type, so that a property is compiled for each.
protocol RecordingLane {
    static var durability: Recorder.Durability { get }
}
enum SynchronousLane: RecordingLane { static let durability = Recorder.Durability.synchronous }
enum BackgroundLane: RecordingLane { static let durability = Recorder.Durability.background }
