import Foundation
import JournalFormat
import StateStore

/// What comes and goes in a run of days: whether the millionth costs what the first did, and leaves nothing behind.
struct LifetimeBenchmark {
    let count: Int
    /// Rows whose name has this in it are measured.
    let filter: String
    private let folder = FileManager.default.temporaryDirectory.appending(path: "lifetimes-\(getpid())")

    init(count: Int, filter: String = "") {
        self.count = count
        self.filter = filter
    }

    /// Makes and drops those with the numbers in a range; what it returns keeps the work from being left out.
    private typealias Work = (Range<Int>) -> Int

    func run() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print(
            "\(count) of each made and dropped, under a limit of 1 MB; microseconds of the processors each in the first, middle and last tenth"
        )
        try measureDerived()
        try measureStores()
        try measureModels()
        try measureRequests()
        measureDropping()
    }

    private static func each(_ body: @escaping (Int) -> Int) -> Work {
        { numbers in numbers.reduce(0) { sum, number in sum &+ body(number) } }
    }

    // MARK: Rows

    private func measureDerived() throws {
        try measure("derived values, read once") { store, _ in
            Self.each { _ in store.derived(\.count, named: "badge") { $0 + 1 }.value }
        }
        try measure("derived values of many names") { store, _ in
            Self.each { number in store.derived(\.count, named: "badge\(number)") { $0 + 1 }.value }
        }
        try measure("subscriptions of a derived value") { store, _ in
            Self.each { _ in
                store.derived(\.count, named: "total") { $0 * 2 }.subscribe { _ in }.cancel()
                return 0
            }
        }
    }

    private func measureStores() throws {
        try measure("stores") { _, recorder in
            Self.each { _ in Store(DictionaryState(0), name: "short", recorder: recorder).version }
        }
        try measure("subscriptions") { store, _ in
            Self.each { _ in
                store.subscribe(initially: false) { _ in }.cancel()
                return 0
            }
        }
    }

    private func measureModels() throws {
        try measure("models, registered and let go") { _, recorder in
            let models = ModelObserver(recorder: recorder)
            return Self.each { number in
                models.remove(models.add(Photo(id: number)) { _ in })
                return 0
            }
        }
        try measure("observers of one model") { _, recorder in
            let models = ModelObserver(recorder: recorder)
            return Self.each { number in
                models.remove(models.add(Photo(id: 1)) { _ in })
                return 0
            }
        }
        try measure("model observers with a model each") { _, recorder in
            Self.each { number in
                let models = ModelObserver(recorder: recorder)
                models.add(Photo(id: number)) { _ in }.cancel()
                return 0
            }
        }
    }

    private func measureRequests() throws {
        try measure("requests, each for a key of its own") { _, recorder in
            let photos = Photo.repository(recorder)
            return { numbers in waitFor { for number in numbers { _ = try? await photos.value(for: number) } } }
        }
        try measure("requests for one key") { _, recorder in
            let photos = Photo.repository(recorder)
            return { numbers in waitFor { for _ in numbers { _ = try? await photos.refresh(1).value } } }
        }
        try measure("observations, each of a key of its own") { _, recorder in
            let photos = Photo.repository(recorder)
            return { numbers in
                waitFor {
                    for number in numbers {
                        let observation = photos.observe(number) { _ in }
                        _ = try? await photos.value(for: number)
                        observation.cancel()
                    }
                }
            }
        }
        try measure("repositories with a request each") { _, recorder in
            { numbers in
                waitFor { for number in numbers { _ = try? await Photo.repository(recorder).value(for: number) } }
            }
        }
    }

    // MARK: Measuring

    private func measure(_ name: String, _ prepare: (Store<DictionaryState>, Recorder) -> Work) throws {
        guard filter.isEmpty || name.contains(filter) else { return }
        let recorder = try Recorder(folder.appending(path: "run.jsonl").path, limit: 1 << 20)
        let work = prepare(Store(DictionaryState(0), name: "store", recorder: recorder), recorder)
        let before = ProcessUsage.residentMemory
        var tenths: [Double] = []
        var sum = 0
        var largest = 0
        for tenth in 0..<10 {
            let numbers = (tenth * count / 10)..<((tenth + 1) * count / 10)
            // What else the machine does is no part of it.
            let start = ProcessUsage.processorTime
            sum &+= work(numbers)
            tenths.append((ProcessUsage.processorTime - start) * 1e6 / Double(max(numbers.count, 1)))
            largest = max(largest, try journalSize())
        }
        let grown = ProcessUsage.residentMemory - before
        recorder.close()
        for file in try files() { try FileManager.default.removeItem(at: file) }
        let figures = [tenths[0], tenths[5], tenths[9]].map(Figure.text).joined(separator: "  ")
        print(
            "\(name): \(figures) µs; memory grew by \(grown >> 10) KB, journal \(largest >> 10) KB at most (\(sum & 1))"
        )
    }

    private func files() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    private func journalSize() throws -> Int {
        try files().reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    }

    // MARK: One of many

    /// Ends one after another out of many that live, in an order that suits no list.
    private func measureDropping() {
        for many in [100, 1_000, 10_000] {
            let store = Store(DictionaryState(0), name: "store", recorder: nil)
            let models = ModelObserver(recorder: nil)
            measureDropping(many, "subscriptions") { _ in store.subscribe(initially: false) { _ in } }
            measureDropping(many, "derived values of one property") { _ in
                let value = store.derived(\.count, named: "badge") { $0 + 1 }
                _ = value.value
                return value
            }
            measureDropping(many, "derived values of a property each") { _ in
                let value = Derived(store.input(\.count, by: ==), named: "badge") { $0 + 1 }
                _ = value.value
                return value
            }
            let total = store.derived(\.count, named: "total") { $0 * 2 }
            measureDropping(many, "derived values of one derived value") { _ in
                let value = total.derived(named: "badge") { $0 + 1 }
                _ = value.value
                return value
            }
            measureDropping(many, "observers of one model") { _ in models.add(Photo(id: 1)) { _ in } }
            measureDropping(many, "models in one holder each") { number in
                models.add(Album(id: number, cover: Photo(id: 1))) { _ in }
            }
        }
    }

    private func measureDropping(_ many: Int, _ name: String, _ make: (Int) -> AnyObject) {
        guard filter.isEmpty || name.contains(filter) else { return }
        var making = Samples()
        var living: [AnyObject] = []
        making.measure(batch: many) { living = (0..<many).map(make) }
        living.shuffle()
        var dropping = Samples()
        dropping.measure(batch: many) { living.removeAll() }
        let figures = [making, dropping].map { Figure.microseconds($0.median) }
        print("one of \(many) \(name): made in \(figures[0]), dropped in \(figures[1])")
    }
}

/// Waits for what is asynchronous.
private func waitFor(_ body: @escaping @Sendable () async -> Void) -> Int {
    let done = DispatchSemaphore(value: 0)
    Task {
        await body()
        done.signal()
    }
    done.wait()
    return 0
}

/// A model as apps show them.
private struct Photo: ObservedModel, Codable, Sendable {
    let id: Int
    var title = "a title"
    var isLiked = false

    init(id: Int) { self.id = id }

    /// A repository of them that keeps a thousand, with an origin that answers at once.
    static func repository(_ recorder: Recorder) -> Repository<Int, Photo> {
        Repository("photos", recorder: recorder, keeping: 1_000, source: RepositorySource(fetch: { Photo(id: $0) }))
    }
}

/// A model that holds another one, which it has in common with all of its kind.
private struct Album: ObservedModel, Codable {
    let id: Int
    var cover: Photo

    var nestedModels: [any ObservedModel] { [cover] }
}
