internal import Diagnostics

/// What a person may have meant by a name that is not known.
enum Suggestions {
    /// What other languages call the functions of this one.
    private static let synonyms: [String: String] = [
        "len": "length", "size": "length", "count": "length", "filter": "select", "where": "select", "each": "map",
        "forEach": "map", "toString": "tostring", "str": "tostring", "parseInt": "tonumber", "int": "tonumber",
        "lower": "ascii_downcase", "upper": "ascii_upcase", "lowercase": "ascii_downcase", "uppercase": "ascii_upcase",
        "toLowerCase": "ascii_downcase", "toUpperCase": "ascii_upcase", "sum": "add", "concat": "add", "uniq": "unique",
        "distinct": "unique", "sortBy": "sort_by", "groupBy": "group_by", "includes": "contains", "replace": "gsub",
        "exists": "has", "typeof": "type", "some": "any", "every": "all",
        "entries": "to_entries", "find": "first", "raise": "error", "throw": "error",
    ]

    static func names(near name: String, in known: [String]) -> [String] {
        if let synonym = synonyms[name] { return [synonym] }
        return SimilarNames.nearest(to: name, in: Set(known.filter { !$0.hasPrefix("_") }))
    }
}
