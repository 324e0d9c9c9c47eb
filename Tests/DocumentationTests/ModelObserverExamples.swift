import StateStore
import Synchronization
import Testing

private struct User: ObservedModel, Codable {
    let id: Int
    var name: String
}

private struct Pin: ObservedModel, Codable {
    let id: Int
    var isLiked = false
    var owner: User
    var changeTime: Int?
    var nestedModels: [any ObservedModel] { [owner] }
    func replacing(_ model: any ObservedModel) -> Pin {
        var pin = self
        if let user = model as? User, user.id == owner.id { pin.owner = user }
        return pin
    }
}

private final class Shown: Sendable {
    private let list = Mutex<[String]>([])
    var values: [String] { list.withLock(\.self) }
    func append(_ value: String) { list.withLock { $0.append(value) } }
}

/// The code of the page `ObservingModels`.
struct ModelObserverExamples {
    @Test("an observer of a model is told of updates of it, and of what lies within it")
    func observing() {
        let models = ModelObserver(recorder: nil)
        let shown = Shown()
        let pin = Pin(id: 7, owner: User(id: 1, name: "Ann"))
        let likedPin = Pin(id: 7, isLiked: true, owner: User(id: 1, name: "Ann"))
        let renamedUser = User(id: 1, name: "Anna")
        let owner = Derived(models.input(Pin.self, 7), named: "owner") { pin in pin?.owner.name ?? "" }
        let subscription = models.add(pin) { changes in shown.append("\(changes.owner.name) \(changes.isLiked)") }
        models.update(likedPin)
        models.update(renamedUser)
        #expect(owner.value == "Anna")
        #expect(shown.values == ["Ann false", "Ann true", "Anna true"])
        withExtendedLifetime(subscription) {}
    }
}
