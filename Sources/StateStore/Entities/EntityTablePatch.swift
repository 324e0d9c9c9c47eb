internal import JSONCore

/// The operations between two versions of a table, collected and then written in ascending order of the identities' texts.
struct EntityTablePatch<Entity: Identifiable & Encodable & Sendable> where Entity.ID: Codable & Sendable {
    /// What became of the member of one text.
    private struct Change {
        let text: String
        var old: Entity?
        var new: Entity?
    }

    private let pass: EncodingPass
    private let keyText: KeyText
    private let idLayout: ByteLayout
    private var changes: [Change] = []

    /// The texts that came and went.
    private(set) var arrivals: [String] = []
    private(set) var departures: [String] = []
    /// Whether one that came may have the text of another identity.
    private(set) var needsTexts = false

    init(_ pass: EncodingPass) {
        self.pass = pass
        keyText = pass.keyText(of: Entity.ID.self)
        idLayout = pass.traits(of: Entity.ID.self).layout
    }

    mutating func note(_ difference: TreeComparison<Entity>.Difference) throws(StateEncodingError) {
        switch difference {
        case .added(let new): try noteArrival(new)
        case .removed(let old): try noteDeparture(old)
        case .changed(let old, let new):
            let text = try text(of: new.id)
            // Equal identities may have two texts all the same: `é` in two forms of Unicode.
            if idLayout.holdsSame(old.id, new.id) {
                changes.append(Change(text: text, old: old, new: new))
            } else if UTF8Order.equal(text, try self.text(of: old.id)) {
                changes.append(Change(text: text, old: old, new: new))
            } else {
                try noteDeparture(old)
                try noteArrival(new)
            }
        }
    }

    private mutating func noteArrival(_ entity: Entity) throws(StateEncodingError) {
        let text = try text(of: entity.id)
        changes.append(Change(text: text, old: nil, new: entity))
        arrivals.append(text)
        if !keyText.isDistinct, !KeyReading.leadsBack(text, to: entity.id) { needsTexts = true }
    }

    private mutating func noteDeparture(_ entity: Entity) throws(StateEncodingError) {
        let text = try text(of: entity.id)
        changes.append(Change(text: text, old: entity, new: nil))
        departures.append(text)
    }

    private func text(of id: Entity.ID) throws(StateEncodingError) -> String { try keyText.text(of: id, pass) }

    /// Writes the operations.
    func write() throws(StateEncodingError) {
        for change in merged() {
            try pass.at(.key(change.text)) { () throws(StateEncodingError) in try write(change) }
        }
    }

    private func write(_ change: Change) throws(StateEncodingError) {
        switch (change.old, change.new) {
        case (let old?, let new?):
            try pass.writeDifference(of: old, to: new)
        case (let old?, nil): try pass.writeRemove(pass.child(of: old, base: nil))
        case (nil, let new?): try pass.writeAdd(pass.child(of: new, base: nil))
        case (nil, nil): break
        }
    }

    /// The changes in order, one for each text: an identity that went and another one that came under its text are a change
    /// of one member.
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
