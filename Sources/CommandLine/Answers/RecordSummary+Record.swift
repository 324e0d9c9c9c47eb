import JSONCore
import JournalFormat
package import JournalReading

extension RecordSummary {
    /// A record without its action and what it changed, as far as it says something: what is missing or of another type stays out.
    package init(_ record: Record) {
        self.init(seq: record.seq.rawValue, time: record.time ?? "")
        store = record.store
        name = record.name
        cause = record.cause
        if let place = record.place {
            function = place.function
            if let file = place.file { location = file + (place.line.map { ":\($0)" } ?? "") }
        }
        switch record.kind {
        case .store: kind = .store
        case .gap:
            kind = .gap(lost: record[.lost]?.number?.integerValue ?? 0, reason: record.string(.reason) ?? "")
        case .keyframe: kind = .keyframe
        case .commit, .journal, .close, .derived, .outcome, .mark, .abort, .end, .other: break
        }
    }

    package init(_ record: Record, scope: StoreScope) {
        self.init(record)
        if record.kind == .commit, let action = record.action {
            self.action = Action(type: action.type ?? "", payload: action.payload)
        }
        switch record.kind {
        case .store:
            let path = scope.text(of: JSONPointer([store ?? ""]))
            changes = record[.state].map { [Change(path: path, effect: .added($0))] } ?? []
        case .gap, .keyframe: break
        case .commit, .journal, .close, .derived, .outcome, .mark, .abort, .end, .other:
            changes = record.patch.map { Change.all(of: $0, store: store ?? "", scope: scope) } ?? []
        }
    }
}

extension JSONValue {
    package var integer: Int? {
        guard case .number(let number) = self else { return nil }
        return number.integerValue
    }
}
