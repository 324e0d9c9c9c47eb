internal import JSONCore

/// The operations between two versions of a table or dictionary, in ascending order of the keys' texts.
struct TablePatch<Key: Hashable & Encodable, Value: Encodable> {
    /// What became of the member with one text.
    private struct Change {
        let text: String
        var old: Value?
        var new: Value?
    }

    private let pass: EncodingPass
    private var changes: [Change] = []

    /// The texts of the keys that were added and removed.
    private(set) var arrivals: [String] = []
    private(set) var departures: [String] = []
    /// Whether the text of an added key may be that of another key as well.
    private(set) var needsTexts = false

    /// Makes texts of the keys of some changes.
    init(_ changes: [RecordedTableChange<Key, Value>], _ pass: EncodingPass) throws(StateEncodingError) {
        self.pass = pass
        let keyText = pass.keyText(of: Key.self, for: Value.self)
        for change in changes {
            switch change {
            case .added(let key, let new):
                let text = try keyText.text(of: key, pass)
                self.changes.append(Change(text: text, old: nil, new: new))
                arrivals.append(text)
                if !needsTexts, !keyText.isDistinct, !KeyReading.leadsBack(text, to: key) { needsTexts = true }
            case .removed(let key, let old):
                let text = try keyText.text(of: key, pass)
                self.changes.append(Change(text: text, old: old, new: nil))
                departures.append(text)
            case .changed(let key, let old, let new):
                self.changes.append(Change(text: try keyText.text(of: key, pass), old: old, new: new))
            }
        }
    }

    /// Writes the operations.
    func write() throws(StateEncodingError) {
        for change in merged() {
            try pass.at(.key(change.text)) { () throws(StateEncodingError) in
                switch (change.old, change.new) {
                case (let old?, let new?): try pass.writeDifference(of: old, to: new)
                case (let old?, nil): try pass.writeRemove(pass.child(of: old, base: nil))
                case (nil, let new?): try pass.writeAdd(pass.child(of: new, base: nil))
                case (nil, nil): break
                }
            }
        }
    }

    /// The changes in order, one for each text.
    ///
    /// Where a key was removed and another key with its text was added, one member changed.
    private func merged() -> [Change] {
        if changes.count < 2 { return changes }
        return TextOrder.places(of: changes.map(\.text)).reduce(into: []) { merged, place in
            let change = changes[place]
            guard let last = merged.last, UTF8Order.equal(last.text, change.text) else { return merged.append(change) }
            merged[merged.count - 1].old = last.old ?? change.old
            merged[merged.count - 1].new = last.new ?? change.new
        }
    }
}
