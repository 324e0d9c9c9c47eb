import JSONCore
import Observation
import StateStore
import Synchronization
import TestSupport
import Testing

private struct User: ObservedModel, Codable {
    struct ID: Hashable, Codable, Sendable, RawRepresentable { var rawValue: Int }
    let id: ID
    var name: String
    var changeTime: Int?

    init(_ id: Int, _ name: String, at time: Int? = nil) {
        (self.id, self.name, changeTime) = (ID(rawValue: id), name, time)
    }
}

private struct Pin: ObservedModel, Codable {
    let id: Int
    var title = "a pin"
    var isLiked = false
    var owner: User
    var nestedModels: [any ObservedModel] { [owner] }

    func replacing(_ model: any ObservedModel) -> Pin {
        guard let user = model as? User, user.id == owner.id else { return self }
        var pin = self
        pin.owner = user
        return pin
    }
}

private struct Board: ObservedModel, Codable {
    let id: String
    var pins: [Pin]
    var nestedModels: [any ObservedModel] { pins }

    func replacing(_ model: any ObservedModel) -> Board {
        guard let pin = model as? Pin, let place = pins.firstIndex(where: { $0.id == pin.id }) else { return self }
        var board = self
        board.pins[place] = pin
        return board
    }
}

/// Holds the identities of others only.
private struct Following: ObservedModel, Codable {
    let id: Int
    var users: [User]
    enum CodingKeys: CodingKey { case id }
    init(id: Int, users: [User]) { (self.id, self.users) = (id, users) }
    init(from decoder: any Decoder) throws { self.init(id: 0, users: []) }
    static func == (left: Following, right: Following) -> Bool { left.id == right.id }
    var nestedModels: [any ObservedModel] { users }
}

struct ModelObserverTests {
    @Test("a model that a derived value has as an input stays, and may go when the value is gone", arguments: [0, 10])
    func derivedInput(keeping: Int) {
        let models = ModelObserver(recorder: nil, keeping: keeping)
        let names = Log<String>()
        models.update(User(42, "Ann"))
        do {
            let name = Derived(models.input(User.self, .init(rawValue: 42)), named: "name") { $0?.name ?? "…" }
            let heading = Derived(name, named: "heading") { "# \($0)" }
            let subscription = heading.subscribe { names.add($0.current) }
            for id in 100..<120 { models.update(User(id, "x")) }
            models.update(User(42, "Eve"))
            for id in 100..<120 { models.update(User(id, "y")) }
            #expect(names.entries == ["# Ann", "# Eve"])
            subscription.cancel()
            for id in 100..<120 { models.update(User(id, "z")) }
            #expect(heading.value == "# Eve", "it has no subscriber, and is there")
        }
        for id in 200...(200 + keeping) { models.update(User(id, "x")) }
        models.update(User(300, "x"))
        #expect(models.model(User.self, .init(rawValue: 42)) == nil)
    }

    @Test("a model that a view has read stays until the view is notified, and until it has read it again")
    func view() {
        let models = ModelObserver(recorder: nil, keeping: 3)
        let (names, notified) = (Log<String?>(), Ticks())
        models.update(User(42, "Ann"))
        for round in 1...3 {
            withObservationTracking {
                names.add(models.model(User.self, .init(rawValue: 42))?.name)
                names.add(models.model(User.self, .init(rawValue: 42))?.name)
            } onChange: {
                _ = notified.next()
            }
            for id in 100..<120 { models.update(User(id, "\(round)")) }
            #expect(notified.value == round - 1)
            models.update(User(42, "\(round)"))
            #expect(notified.value == round)
            for id in 100..<120 { models.update(User(id, "again \(round)")) }
        }
        #expect(names.entries == ["Ann", "Ann", "1", "1", "2", "2"])
    }

    @Test(
        "however models are read and let go, no more are kept than are held and were to be", arguments: seeds(1..<4))
    func bounded(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path)
        let models = ModelObserver(name: "models", recorder: recorder, keeping: 5)
        var (held, tracked): ([Int: Derived<String?>], Set<Int>) = ([:], [])
        for step in 0..<500 {
            let id = Int.random(in: 0..<60, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where held.count < 8:
                held[id] = Derived(models.input(User.self, .init(rawValue: id)), named: "name") { $0?.name }
            case 1: if let key = held.keys.randomElement(using: &generator) { held[key] = nil }
            case 2 where tracked.count < 8:
                tracked.insert(id)
                onChange(of: models.model(User.self, .init(rawValue: id))) {}
            default:
                let before = models.model(User.self, .init(rawValue: id))
                if held[id] != nil, before != nil { #expect(held[id]?.value == before?.name) }
                models.update(User(id, "\(step)"))
                tracked.remove(id)
                #expect(models.model(User.self, .init(rawValue: id))?.name == "\(step)")
            }
            let known = (0..<60).filter { models.model(User.self, .init(rawValue: $0)) != nil }
            let others = Set(known).subtracting(held.keys).subtracting(tracked)
            #expect(others.count <= 2 * 5 + 9, "seed \(seed), step \(step)")
        }
        recorder.close()
    }

    @Test("a stale update is dropped, one of the same time is not")
    func staleUpdate() {
        let models = ModelObserver(recorder: nil)
        let names = Log<String>()
        let subscription = models.add(User(1, "new", at: 5)) { names.add($0.name) }
        #expect(!models.update(User(1, "old", at: 4)))
        #expect(models.update(User(1, "same time", at: 5)))
        #expect(models.update(User(1, "no time")))
        #expect(names.entries == ["new", "same time", "no time"])
        withExtendedLifetime(subscription) {}
    }

    @Test("who adds an old copy of a model without change times rolls nobody back, and is told of what is known")
    func addingOldCopy() {
        let models = ModelObserver(recorder: nil)
        let (first, second) = (Log<String>(), Log<String>())
        let subscription = models.add(User(1, "old")) { first.add($0.name) }
        models.update(User(1, "newer"))
        let other = models.add(User(1, "old")) { second.add($0.name) }
        let pin = models.add(Pin(id: 5, owner: User(1, "old"))) { second.add($0.owner.name) }
        #expect(first.entries == ["old", "newer"])
        #expect(second.entries == ["newer", "newer"])
        models.update(User(1, "newest"))
        #expect(second.entries == ["newer", "newer", "newest", "newest"])
        withExtendedLifetime((subscription, other, pin)) {}
    }

    @Test("a model that is shown again and again takes the place of no other one")
    func keepsOthers() {
        let models = ModelObserver(recorder: nil, keeping: 3)
        for id in 1...3 { models.update(User(id, "new", at: 5)) }
        for _ in 0..<50 { models.add(User(1, "new", at: 5)) { _ in }.cancel() }
        models.update(User(1, "newer", at: 6))
        #expect((1...3).allSatisfy { models.model(User.self, User.ID(rawValue: $0)) != nil })
        #expect(!models.update(User(2, "stale", at: 4)))
        models.update(User(4, "new", at: 5))
        models.update(User(5, "new", at: 5))
        #expect(
            models.model(User.self, User.ID(rawValue: 2)) == nil, "the one that was not needed for the longest time")
        #expect(models.model(User.self, User.ID(rawValue: 1)) != nil)
    }

    @Test("a removed observer is not told any more, nor one whose token is gone")
    func removal() {
        let models = ModelObserver(recorder: nil)
        let names = Log<String>()
        let token = models.add(User(1, "Ann")) { names.add("a \($0.name)") }
        do {
            let other = models.add(User(1, "Ann")) { names.add("b \($0.name)") }
            withExtendedLifetime(other) {}
        }
        models.update(User(1, "Anna"))
        models.remove(token)
        models.update(User(1, "Anne"))
        #expect(names.entries == ["a Ann", "b Ann", "a Anna"])
    }

    @Test("an update of an inner model updates all that hold it, and tells each observer once")
    func outerAreTold() {
        let models = ModelObserver(recorder: nil)
        let seen = Log<String>()
        let pins = [Pin(id: 7, owner: User(1, "Ann")), Pin(id: 8, owner: User(1, "Ann"))]
        let board = models.add(Board(id: "b", pins: pins)) { changes in
            seen.add("board \(changes.pins.map(\.owner.name))")
        }
        let pin = models.add(pins[1]) { seen.add("pin \($0.owner.name)") }
        let following = models.add(Following(id: 1, users: [User(1, "Ann")])) { seen.add("following \($0.id)") }
        models.update(User(1, "Anna"))
        #expect(seen.entries.prefix(3) == ["board [\"Ann\", \"Ann\"]", "pin Ann", "following 1"])
        #expect(Set(seen.entries.dropFirst(3)) == ["board [\"Anna\", \"Anna\"]", "pin Anna", "following 1"])
        #expect(seen.entries.count == 6)
        var liked = pins[0]
        liked.isLiked = true
        models.update(liked)
        let known = models.model(Board.self, "b")
        #expect(known?.pins.map(\.isLiked) == [true, false])
        withExtendedLifetime((board, pin, following)) {}
    }

    @Test("an outer model that comes with an older inner one keeps the newer")
    func newerInnerStays() {
        let models = ModelObserver(recorder: nil)
        models.update(User(1, "new", at: 9))
        models.update(Pin(id: 7, owner: User(1, "old", at: 3)))
        #expect(models.model(Pin.self, 7)?.owner.name == "new")
        #expect(models.model(User.self, User.ID(rawValue: 1))?.name == "new")
    }

    @Test("the changes have the version before, and what an observer updates has their commit as its cause")
    func changesAndCauses() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let models = ModelObserver(recorder: recorder)
        let previous = Log<String?>()
        let token = models.add(User(1, "Ann")) { changes in
            previous.add(changes.previous?.name)
            if changes.name == "Anna" { models.update(User(2, "Bob")) }
        }
        models.update(User(1, "Anna"))
        #expect(previous.entries == [nil, "Ann"])
        recorder.close()
        #expect(try journal.records("commit").map { $0.integer("cause") } == [nil, nil, 2])
        withExtendedLifetime(token) {}
    }

    @Test("updates are recorded by property, with the line that made them")
    func recorded() throws {
        let (journal, recorder) = try TemporaryJournal.recording(.reproducible)
        let models = ModelObserver(recorder: recorder)
        let token = models.add(User(42, "Ann", at: 1)) { _ in }
        for id in 0..<20 { models.update(User(id, "user \(id)", at: 1)) }
        let line = #line + 1
        models.update(User(42, "Anna", at: 2), name: "rename")
        models.update(User(42, "stale", at: 1))
        models.update(contentsOf: [Pin(id: 7, owner: User(42, "Anne", at: 3))])
        recorder.close()
        _ = try journal.replayed()
        let commits = try journal.records("commit")
        #expect(
            commits[21]["patch"]?.text() == #"[{"op":"replace","path":"/User/42/name","value":"Anna","old":"Ann"},"#
                + #"{"op":"replace","path":"/User/42/changeTime","value":2,"old":1}]"#)
        #expect(commits[21]["name"] == .string("rename"))
        guard case .object(let at)? = commits[21]["at"] else { return #expect(Bool(false), "no location") }
        #expect(at.integer("line") == line)
        #expect(commits[22]["patch"]?.text() == "[]", "a stale update is a wasted one")
        #expect(commits[23]["patch"]?.text().contains(#""path":"/User/42/name","value":"Anne""#) == true)
        withExtendedLifetime(token) {}
    }

    @Test("models that nobody observes are dropped when there are too many, the oldest first")
    func dropping() {
        let models = ModelObserver(recorder: nil, keeping: 3)
        let observed = models.add(User(0, "observed")) { _ in }
        let pin = models.add(Pin(id: 1, owner: User(100, "held"))) { _ in }
        for id in 1...10 { models.update(User(id, "user")) }
        func isKnown(_ id: Int) -> Bool { models.model(User.self, User.ID(rawValue: id)) != nil }
        #expect((1...10).filter(isKnown).count <= 4)
        #expect(isKnown(10))
        #expect(isKnown(0))
        #expect(isKnown(100), "what an observed model holds stays")
        observed.cancel()
        pin.cancel()
        for id in 11...20 { models.update(User(id, "user")) }
        #expect(!isKnown(0))
        #expect(!isKnown(100))
        #expect(models.model(Pin.self, 1) == nil)
    }

    @Test("observers on any thread are told of versions in order, and end at the last")
    func threads() async {
        let models = ModelObserver(recorder: nil)
        let logs = (0..<4).map { _ in Log<Int>() }
        let tokens = Log<Subscription>()
        await concurrently(8) { thread in
            if thread < 4 {
                tokens.add(models.add(User(1, "0", at: 0)) { logs[thread].add($0.changeTime ?? -1) })
            } else {
                for time in 1...200 { models.update(User(1, "\(time)", at: time * 4 + thread)) }
            }
        }
        await models.waitUntilDelivered()
        for log in logs {
            #expect(log.entries.last == 807)
            #expect(zip(log.entries, log.entries.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("nothing is kept by an observer whose token is gone")
    func noLeaks() {
        weak var leaked: Log<String>?
        weak var leakedModels: ModelObserver?
        do {
            let models = ModelObserver(recorder: nil)
            let log = Log<String>()
            (leaked, leakedModels) = (log, models)
            let token = models.add(User(1, "Ann")) { log.add($0.name) }
            models.update(User(1, "Anna"))
            withExtendedLifetime(token) {}
        }
        #expect(leaked == nil)
        #expect(leakedModels == nil)
    }

    @Test("the current observer is the task's own")
    func current() {
        let models = ModelObserver(recorder: nil)
        ModelObserver.$current.withValue(models) {
            let names = Log<String>()
            let token = ModelObserver.current.add(User(1, "Ann")) { names.add($0.name) }
            ModelObserver.current.update(User(1, "Anna"))
            ModelObserver.current.update(contentsOf: [User(1, "Anne"), User(2, "Bob")])
            ModelObserver.current.remove(token)
            ModelObserver.current.update(User(1, "gone"))
            #expect(names.entries == ["Ann", "Anna", "Anne"])
        }
        #expect(models.model(User.self, User.ID(rawValue: 2))?.name == "Bob")
    }
}

struct ModelObserverContextTests {
    private struct Note: ObservedModel, Codable {
        let id: Int
        var text: String
    }

    @MainActor private final class Screen { var lines: [String] = [] }

    @Test("a model is observed on the main actor, and as a sequence")
    @MainActor func contexts() async {
        let observer = ModelObserver(recorder: nil)
        let screen = Screen()
        var subscriptions: Set<Subscription> = []
        observer.add(Note(id: 1, text: "a"), on: .mainActor) { @MainActor in screen.lines.append($0.text) }
            .store(in: &subscriptions)
        var notes = observer.values(of: Note(id: 1, text: "a"), buffering: .unbounded).makeAsyncIterator()
        observer.update(Note(id: 1, text: "b"))
        await observer.waitUntilDelivered()
        #expect(screen.lines == ["a", "b"])
        #expect(await notes.next()?.text == "a")
        #expect(await notes.next()?.text == "b")
    }
}
