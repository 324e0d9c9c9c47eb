import StateStore
import TestSupport

/// Tasks that get their final number from the server: the map keeps them under the one that they had before.
///
/// What is done later by the final number finds nothing: a task that was deleted is there again.
final class RenamedEntity: RealBug {
    static let name = "renamed entity"
    static let report = "https://github.com/ngrx/platform/issues/4235"
    static let fix = "https://github.com/ngrx/platform/pull/4404"
    static let invariants = [".board.ghosts == 0"]

    struct Entity: Encodable, Equatable, Sendable {
        var id: String
        var title: String
        var column = "open"
    }
    struct Entities: Encodable, Equatable, Sendable {
        var ids: [String] = []
        var map: [String: Entity] = [:]
    }
    struct Outbox: Encodable, Equatable, Sendable {
        var unsaved: [String] = []
        var next = 1
    }
    struct Trash: Encodable, Equatable, Sendable {
        var ids: [String] = []
        var emptied = 0
    }
    struct Selection: Encodable, Equatable, Sendable { var id: String? }
    struct Board: Encodable, Equatable, Sendable {
        var titles: [String] = []
        var ghosts = 0
    }

    let bugs: Bugs
    let entities: Store<Entities>
    let outbox: Store<Outbox>
    let trash: Store<Trash>
    let selection: Store<Selection>
    let board: Store<Board>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        entities = Store(Entities(), name: "entities", recorder: recorder)
        outbox = Store(Outbox(), name: "outbox", recorder: recorder)
        trash = Store(Trash(), name: "trash", recorder: recorder)
        selection = Store(Selection(), name: "selection", recorder: recorder)
        board = Store(Board(), name: "board", recorder: recorder)
    }

    func add(_ title: String) {
        let id = "new \(outbox.state.next)"
        entities.commit { entities in
            entities.map[id] = Entity(id: id, title: title)
            entities.ids.append(id)
        }
        outbox.commit { outbox in
            outbox.unsaved.append(id)
            outbox.next += 1
        }
    }

    func load(_ number: Int) {
        let id = "old \(number)"
        guard !entities.state.ids.contains(id), !trash.state.ids.contains(id) else { return }
        entities.commit { entities in
            entities.map[id] = Entity(id: id, title: id)
            entities.ids.append(id)
        }
    }

    /// The server has given a task its number.
    func confirm() {
        guard let first = outbox.state.unsaved.first else { return }
        let final = "task \(first.dropFirst(4))"
        outbox.commit { _ = $0.unsaved.removeFirst() }
        update(first, to: final)
        if selection.state.id == first { select(final) }
    }

    func update(_ id: String, to new: String) {
        entities.commit { entities in
            guard var entity = entities.map[id] else { return }
            entity.id = new
            let key = bugs.planted(.wrongKey, new, id)
            entities.map[id] = nil
            entities.map[key] = entity
            entities.ids = entities.ids.map { $0 == id ? key : $0 }
        }
    }

    func select(_ id: String) { selection.commit { $0.id = id } }
    func unselect() { selection.commit { $0.id = nil } }

    func move(_ id: String, _ column: String) { entities.commit { $0.map[id]?.column = column } }
    func retitle(_ id: String) { entities.commit { $0.map[id]?.title += "*" } }

    func remove(_ id: String) {
        trash.commit { $0.ids.append(id) }
        entities.commit { entities in
            entities.map[id] = nil
            entities.ids.removeAll { $0 == id }
        }
        if selection.state.id == id { unselect() }
    }

    func reorder() { entities.commit { $0.ids.reverse() } }

    func draw() {
        let shown = entities.state.ids.compactMap { entities.state.map[$0] }
        board.commit { board in
            board.titles = shown.map(\.title)
            board.ghosts = shown.count { trash.state.ids.contains($0.id) }
        }
    }

    func act(_ random: inout SeededGenerator) {
        let ids = entities.state.ids.compactMap { entities.state.map[$0]?.id }
        let id = ids.isEmpty ? nil : ids[below(ids.count, &random)]
        let isSaved = id.map { !outbox.state.unsaved.contains($0) } ?? false
        switch below(24, &random) {
        case 0...3: add("t\(below(99, &random))")
        case 4...6: load(below(12, &random))
        case 7...9: confirm()
        case 10...12: if let id { select(id) }
        case 13: unselect()
        case 14...16: if let id { move(id, ["open", "doing", "done"][below(3, &random)]) }
        case 17: if let id { retitle(id) }
        case 18: if let id, isSaved { remove(id) }
        case 19: reorder()
        default: draw()
        }
    }

    func closeDay() { draw() }
}
