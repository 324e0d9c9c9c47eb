/// What a value may ask its encoder: whether what it is a part of is redacted.
package enum RedactionQuestion {
    /// Whether values of a type, or anything in the store that is encoded, may be redacted.
    package static func isRedacted<Value>(_ type: Value.Type, in encoder: any Encoder) -> Bool {
        guard let pass = (encoder as? LevelEncoder)?.pass else { return false }
        if pass.redaction != nil { return true }
        guard let types = pass.types else { return false }
        return types.rule(of: type) != nil || types.isActive
    }
}
