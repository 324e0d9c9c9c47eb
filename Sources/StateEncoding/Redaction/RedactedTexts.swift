internal import JournalFormat

/// Hashes what is redacted, and knows it again where it is in no state: in what an action or a derived value says.
final class RedactedTexts {
    let key: RedactionKey
    /// Every secret of the states so far.
    private(set) var known = SecretSearch()

    init(key: RedactionKey) { self.key = key }

    func note(_ canonical: [UInt8]) { known.insertParts(ofSecret: canonical) }

    func append(_ canonical: [UInt8], to bytes: inout [UInt8]) { key.appendRedacted(canonical, to: &bytes) }
}
