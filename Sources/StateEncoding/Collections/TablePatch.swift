internal import JSONCore

/// The operations between two versions of a table or dictionary, in ascending order of the keys' texts.
struct TablePatch<Key: Hashable & Encodable, Value: Encodable> {
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

    /// - Parameter epochs: which members are hidden as copies in each value of the old version.
    /// - Returns: those of the new one.
    func write(_ epochs: TableEpochs) throws(StateEncodingError) -> TableEpochs {
        var newer = epochs
        let changes = merged()
        let holdsSecrets = pass.traits(of: Value.self).mayHoldSecrets(pass)
        try collectSecrets(changes, epochs)
        for change in changes {
            let epoch = epochs[change.text]
            var written: Int?
            try pass.at(.key(change.text)) { () throws(StateEncodingError) in
                switch (change.old, change.new) {
                case (let old?, let new?): written = try pass.writeUnit(of: old, at: epoch, to: new)
                case (let old?, nil): try pass.writeRemove(pass.child(of: old, asOf: epoch))
                case (nil, let new?):
                    let value = pass.child(of: new, base: nil)
                    try pass.writeAdd(value)
                    if holdsSecrets, case .value(let node) = value { written = node.epoch }
                case (nil, nil): break
                }
            }
            newer.set(written, for: change.text)
        }
        return newer
    }

    /// Notes the secrets of what is removed before anything is added, since a value may have got another key.
    private func collectSecrets(_ changes: [Change], _ epochs: TableEpochs) throws(StateEncodingError) {
        guard pass.traits(of: Value.self).mayHoldSecrets(pass), changes.contains(where: { $0.old == nil }) else {
            return
        }
        for change in changes where change.new == nil {
            guard let old = change.old else { continue }
            var unused: [UInt8] = []
            try pass.at(.key(change.text)) { () throws(StateEncodingError) in
                try pass.appendTaken(pass.child(of: old, asOf: epochs[change.text]), to: &unused)
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

extension EncodingPass {
    func hasPart<Key: Hashable & Encodable, Value: Encodable>(
        _ changes: [RecordedTableChange<Key, Value>], _ epochs: TableEpochs, where test: ValueNode.PartTest
    ) throws(StateEncodingError) -> Bool {
        let keyText = keyText(of: Key.self, for: Value.self)
        for change in changes {
            let text: String
            let part: (new: Value, old: Value?)
            switch change {
            case .removed: continue
            case .added(let key, let value):
                (text, part) = (try keyText.text(of: key, self), (value, nil))
                if try test(.scalar(.string(text)), nil) { return true }
            case .changed(let key, let old, let value):
                (text, part) = (try keyText.text(of: key, self), (value, old))
            }
            let old = part.old.map { child(of: $0, asOf: epochs[text]) }
            if try test(child(of: part.new, base: nil), old) { return true }
        }
        return false
    }
}
