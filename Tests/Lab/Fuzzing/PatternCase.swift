import JSONCore
import QueryLanguage

/// A regular expression, its flags, and behind line feeds the text: whatever of jq's functions takes one agrees with `match`.
struct PatternCase {
    private let input: JSONValue

    private static let limits = QueryLimits(steps: 200_000, size: 1 << 16)
    private static let query = try? Query(
        """
        . as [$pattern, $flags, $text] | $text |
        (try [match($pattern; $flags + "g")] catch null) as $all |
        if $all == null then true else
          (test($pattern; $flags) == (($all | length) > 0))
          and ([scan($pattern; $flags)] | length) == ($all | length)
          and all($all[]; .string == null or .string == $text[.offset:.offset + .length])
          and ($all | map(.offset) == (map(.offset) | sort))
        end
        """)

    init(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        let texts = parts.map { JSONValue.string(String(decoding: $0, as: UTF8.self)) }
        input = .array(texts + Array(repeating: .string(""), count: 3 - texts.count))
    }

    func run() {
        guard let query = Self.query else { fatalError("the query does not parse") }
        do {
            try query.evaluate(input, context: QueryContext(limits: Self.limits)) { value in
                require(value == .bool(true), "two answers for one expression")
                return true
            }
        } catch .limit {
            return
        } catch {
            // A wrong expression, or wrong flags.
            require(!error.message.isEmpty, "a problem without words")
        }
    }
}
