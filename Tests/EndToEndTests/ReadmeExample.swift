import StateStore

struct CounterState: Encodable, Equatable, Sendable {
    var count = 0
}

final class Counter: Sendable {
    let store: Store<CounterState>

    init(recorder: Recorder?) { store = Store(CounterState(), recorder: recorder) }

    func increase() { store.commit { $0.count += 1 } }
}

func recordExample(to path: String) throws {
    let recorder = try Recorder(path)
    let counter = Counter(recorder: recorder)
    counter.increase()
    recorder.mark("tapped +")
    counter.increase()
    recorder.close()
}
