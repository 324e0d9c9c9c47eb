internal import JSONCore

extension StateEncodingError {
    /// The error without keys and words that may quote what is redacted.
    ///
    /// - Parameter paths: what paths redact; nil where only types do, so that it is not known which key is a secret's.
    package func withoutValues(keepingOut paths: RedactionPaths?) -> StateEncodingError {
        var kept = self
        kept.path = ""
        if var paths, let segments = (try? JSONPointer(parsing: path))?.segments {
            for segment in segments where !paths.isMatch {
                kept.path += JSONText.pointerSegment(segment)
                paths = paths.below(member: segment)
            }
        }
        switch reason {
        case .repeatedKey: kept.reason = .repeatedKey("…")
        case .refused: kept.reason = .refused("its words are left out, since some values are redacted")
        case .tooDeep, .tooLong, .notEncodable, .reference, .incrementalDifference: break
        }
        return kept
    }
}
