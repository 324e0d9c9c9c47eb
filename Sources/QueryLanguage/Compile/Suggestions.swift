internal import Diagnostics

/// What a person may have meant by a name that is not known.
enum Suggestions {
    static func names(near name: String, in known: [String]) -> [String] {
        SimilarNames.nearest(to: name, in: Set(known.filter { !$0.hasPrefix("_") }))
    }
}
