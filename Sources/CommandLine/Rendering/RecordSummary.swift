package import JSONCore
import JournalFormat
package import JournalReading
package import TimeTravel

/// A commit, or the store or gap record that stood in its place.
package struct RecordSummary: Sendable, Equatable {
    package enum StateRecord: Sendable, Equatable {
        case commit
        case store
        case gap(lost: Int, reason: String)
        /// The keyframe at which reading continued after damage.
        case keyframe
        /// None: what was asked about never happened.
        case never
    }

    package struct RecordedAction: Sendable, Equatable {
        /// Its type, as `CheckoutAction.chooseDelivery`.
        package let type: String
        package let payload: JSONValue?
    }

    package var seq: Int
    package var kind = StateRecord.commit
    /// Nil for a gap, which is of all stores.
    package var store: String?
    /// RFC 3339.
    package var time: String
    package var location: String?
    package var function: String?
    /// The commit's own name, where it is not the function's.
    package var name: String?
    package var cause: Int?
    package var action: RecordedAction?
    package var changes: [StateChange] = []

    package init(seq: Int, kind: StateRecord = .commit, time: String) {
        (self.seq, self.kind, self.time) = (seq, kind, time)
    }

    /// `118`, or what stands for it where no commit did.
    package var title: String {
        switch kind {
        case .commit: "\(seq)"
        case .store: "\(seq) (store opened)"
        case .gap(let lost, _): "\(seq) (gap of \(lost) commits)"
        case .keyframe: "\(seq) (keyframe after damage)"
        case .never: "never"
        }
    }

    package var label: String {
        switch kind {
        case .commit: name ?? function ?? ""
        case .store: function ?? ""
        case .gap(_, let reason): reason
        case .keyframe, .never: ""
        }
    }

    package var withoutCause: RecordSummary {
        var record = self
        record.cause = nil
        return record
    }

    /// The time has milliseconds; the whole text where it has another form.
    package var clock: String {
        let text = Array(time.utf8)
        guard text.count >= 20, text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":") else { return time }
        let end = text[19] == UInt8(ascii: ".") ? min(23, text.count - 1) : 19
        return String(decoding: text[11..<end], as: UTF8.self)
    }

    /// What is missing or of another type stays out; it has neither action nor changes.
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
            self.action = RecordedAction(type: action.type ?? "", payload: action.payload)
        }
        switch record.kind {
        case .store:
            let path = scope.shown(JSONPointer([store ?? ""]))
            changes = record[.state].map { [StateChange(path: path, kind: .added($0))] } ?? []
        case .gap, .keyframe: break
        case .commit, .journal, .close, .derived, .outcome, .mark, .abort, .end, .other:
            changes =
                record.patch.map { patch in
                    StateChange.all(in: patch.inStore(store ?? "")).map { $0.shown(in: scope) }
                } ?? []
        }
    }
}

extension JSONValue {
    package var integer: Int? {
        guard case .number(let number) = self else { return nil }
        return number.integerValue
    }
}

/// What answers say of a record, without its patch, which may be large: shared by all rows that are about it.
package final class RecordFacts {
    package let store: JSONValue
    package let time: JSONValue
    package let at: JSONValue
    package let summary: RecordSummary

    package init(_ record: Record) {
        store = record[.store] ?? .null
        time = record[.time] ?? .null
        at = record[.at] ?? .null
        summary = RecordSummary(record).withoutCause
    }
}
