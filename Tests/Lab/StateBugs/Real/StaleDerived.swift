import StateStore
import TestSupport

/// A selection with a derived item: what is set in one and the same write is made from the item of the selection before.
///
/// The pane then edits the wrong item, and saves it under the number of the right one.
final class StaleDerived: RealBug {
    static let name = "stale derived"
    static let report = "https://github.com/pmndrs/jotai/issues/2107"
    static let fix = "https://github.com/pmndrs/jotai/pull/2111"
    static let invariants = [".audit.mixed == 0"]

    struct Item: Encodable, Equatable, Sendable {
        let id: Int
        var owner: String
        var text: String
    }
    struct Items: Encodable, Equatable, Sendable { var list: [Item] = [] }
    struct Selection: Encodable, Equatable, Sendable { var id = 0 }
    struct Derived: Encodable, Equatable, Sendable { var item: Item? }
    struct Pane: Encodable, Equatable, Sendable {
        var draft: Item?
        var isOpen = false
    }
    struct Filter: Encodable, Equatable, Sendable { var owner: String? }
    struct Audit: Encodable, Equatable, Sendable {
        var mixed = 0
        var saves = 0
    }

    let bugs: Bugs
    let items: Store<Items>
    let selection: Store<Selection>
    let derived: Store<Derived>
    let pane: Store<Pane>
    let filter: Store<Filter>
    let audit: Store<Audit>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        let list = (0..<6).map { Item(id: $0, owner: "owner \($0)", text: "") }
        items = Store(Items(list: list), name: "items", recorder: recorder)
        selection = Store(Selection(), name: "selection", recorder: recorder)
        derived = Store(Derived(item: list[0]), name: "derived", recorder: recorder)
        pane = Store(Pane(), name: "pane", recorder: recorder)
        filter = Store(Filter(), name: "filter", recorder: recorder)
        audit = Store(Audit(), name: "audit", recorder: recorder)
    }

    func select(_ id: Int) {
        selection.commit { $0.id = id }
        recompute()
    }

    /// One write that selects and opens at once.
    func jump(_ id: Int) {
        selection.commit { $0.id = id }
        open()
        recompute()
    }

    private var selected: Item? { items.state.list.first { $0.id == selection.state.id } }

    func recompute() { derived.commit { $0.item = selected } }

    func open() {
        pane.commit { pane in
            pane.draft = bugs.planted(.staleRead, selected, derived.state.item)
            pane.isOpen = true
        }
    }

    func close() { pane.commit { $0 = Pane() } }
    func type(_ text: String) { pane.commit { $0.draft?.text = text } }

    func save() {
        guard pane.state.isOpen, let draft = pane.state.draft else { return }
        let id = selection.state.id
        items.commit { items in
            guard let index = items.list.firstIndex(where: { $0.id == id }) else { return }
            items.list[index].owner = draft.owner
            items.list[index].text = draft.text
        }
        recompute()
        close()
    }

    func show(_ owner: String) { filter.commit { $0.owner = owner } }
    func showAll() { filter.commit { $0.owner = nil } }
    func sort() { items.commit { $0.list.sort { ($0.text, $0.id) < ($1.text, $1.id) } } }

    /// Items never change their owner.
    func inspect() {
        audit.commit { audit in
            audit.saves += 1
            audit.mixed = items.state.list.count { $0.owner != "owner \($0.id)" }
        }
    }

    func act(_ random: inout SeededGenerator) {
        let id = below(6, &random)
        switch below(24, &random) {
        case 0...3: if !pane.state.isOpen { select(id) }
        case 4, 5: if !pane.state.isOpen { jump(id) }
        case 6...8: if !pane.state.isOpen { open() }
        case 9: close()
        case 10...13: type("t\(below(90, &random))")
        case 14...16: save()
        case 17...19: show("owner \(id)")
        case 20: showAll()
        case 21: sort()
        default: if below(3, &random) == 0 { inspect() }
        }
    }

    func closeDay() { inspect() }
}
