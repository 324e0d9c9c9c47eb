import StateStore

/// The search field above the list, and what it finds.
final class Search: Sendable {
    /// What stands in the field: one value that several places read, and so an atom.
    let text: Atom<String>
    /// The titles that the text is a part of.
    let results: Derived<[String]>

    init(in catalogue: Catalogue, recorder: Recorder?) {
        text = Atom("", name: "search", recorder: recorder)
        let (products, order) = (catalogue.store.input(\.products), catalogue.store.input(\.order))
        results = Derived(text, products, order, named: "results") { text, products, order in
            products.ordered(by: order).map(\.title).filter { title in
                text.isEmpty || title.lowercased().contains(text.lowercased())
            }
        }
    }

    /// The field was edited.
    func type(_ text: String) {
        self.text.set(text)
    }
}
