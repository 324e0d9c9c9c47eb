package import JSONCore

/// A record that changed the state, as answers name it: a commit, or the store or gap record that stood in its place.
package struct RecordSummary: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case commit
        case store
        case gap(lost: Int, reason: String)
        /// The keyframe at which reading continued after damage.
        case keyframe
        /// None: what was asked about never happened.
        case never
    }

    package struct Action: Sendable, Equatable {
        /// Its type, as `CheckoutAction.chooseDelivery`.
        package let type: String
        package let payload: JSONValue?
    }

    package var seq: Int
    package var kind = Kind.commit
    /// The store it belongs to; nil for a gap, which is of all stores.
    package var store: String?
    /// When it was made, RFC 3339.
    package var time: String
    package var location: String?
    package var function: String?
    /// The commit's own name, where it is not the function's.
    package var name: String?
    package var cause: Int?
    package var action: Action?
    package var changes: [Change] = []

    /// A record of which no more is known, or shown.
    package init(seq: Int, kind: Kind = .commit, time: String) { (self.seq, self.kind, self.time) = (seq, kind, time) }

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

    /// The function, or the name where that says more.
    package var label: String {
        switch kind {
        case .commit: name ?? function ?? ""
        case .store: function ?? ""
        case .gap(_, let reason): reason
        case .keyframe, .never: ""
        }
    }

    /// The summary for a list that does not show causes.
    package var withoutCause: RecordSummary {
        var record = self
        record.cause = nil
        return record
    }

    /// The time of day with milliseconds, as lists show it; the whole text where it has another form.
    package var clock: String {
        let text = Array(time.utf8)
        guard text.count >= 20, text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":") else { return time }
        let end = text[19] == UInt8(ascii: ".") ? min(23, text.count - 1) : 19
        return String(decoding: text[11..<end], as: UTF8.self)
    }
}
