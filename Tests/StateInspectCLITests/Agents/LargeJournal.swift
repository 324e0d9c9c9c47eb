import Foundation

/// Journals of which each has too much of one thing for a reader with little room.
enum LargeJournal: String, CaseIterable {
    case manyCommits, hugeValues, manyStores, longNames, deepState

    /// How many commits there are where there are many: as many lines as fit into an answer, many times over.
    static let many = 1_500

    /// The text of the journal.
    var text: String {
        let records =
            switch self {
            case .manyCommits: Self.commits(Self.many) { ("cart", "Shop/Cart.swift", "add(_:)", "/total", "\($0)") }
            case .hugeValues: Self.valueRecords
            case .manyStores: Self.storeRecords
            case .longNames: Self.nameRecords
            case .deepState: Self.deepRecords
            }
        let header =
            #"{"seq":0,"kind":"journal","version":1,"id":"run-1","time":"2026-11-21T12:00:00.000000Z","app":"shop"}"#
        return ([header] + records).map { $0 + "\n" }.joined()
    }

    /// A path in it that has a value.
    var path: String {
        switch self {
        case .manyCommits, .hugeValues, .deepState: "/cart/total"
        case .manyStores: "/store7/total"
        case .longNames: "/" + Self.long("store", 300) + "/" + Self.long("member", 5_000)
        }
    }

    private typealias Written = (store: String, file: String, function: String, path: String, value: String)

    private static func long(_ word: String, _ length: Int) -> String {
        String(repeating: word, count: length / word.count + 1)
    }

    private static func store(_ name: String, _ state: String) -> String {
        #"{"seq":0,"kind":"store","store":"\#(name)","type":"Cart","time":"2026-11-21T12:00:00.000000Z","at":{"file":"Shop/Cart.swift","line":7,"column":9,"function":"init()"},"state":\#(state)}"#
    }

    private static func commit(_ seq: Int, _ version: Int, _ written: Written, cause: Int? = nil) -> String {
        let time = "2026-11-21T\(12 + seq / 3600):\(two(seq / 60 % 60)):\(two(seq % 60)).000000Z"
        let operation = #"{"op":"replace","path":"\#(written.path)","value":\#(written.value)}"#
        return
            #"{"seq":\#(seq),"kind":"commit","store":"\#(written.store)","version":\#(version),"time":"\#(time)","at":{"file":"\#(written.file)","line":\#(30 + seq % 40),"column":9,"function":"\#(written.function)"}"#
            + (cause.map { ",\"cause\":\($0)" } ?? "") + #","patch":[\#(operation)]}"#
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func commits(_ count: Int, _ written: (Int) -> Written) -> [String] {
        [store("cart", #"{"items":[],"total":0}"#)]
            + (1...count).flatMap { seq -> [String] in
                let mark =
                    #"{"seq":\#(seq),"kind":"mark","time":"2026-11-21T12:00:00.000000Z","level":"error","text":"mark \#(seq)"}"#
                return [commit(seq, seq, written(seq), cause: seq > 1 ? seq - 1 : nil)] + (seq % 5 == 0 ? [mark] : [])
            }
    }

    private static var valueRecords: [String] {
        let text = "\"" + long("huge ", 60_000) + "\""
        let rows = "[" + (0..<600).map { #"{"id":\#($0),"name":"row \#($0)"}"# }.joined(separator: ",") + "]"
        return [store("cart", #"{"total":0,"text":"","rows":[]}"#)]
            + (1...60).map { seq in
                let (path, value) = [("/total", "\(seq)"), ("/text", text), ("/rows", rows)][seq % 3]
                return commit(seq, seq, ("cart", "Shop/Cart.swift", "add(_:)", path, value))
            } + [#"{"seq":60,"kind":"mark","time":"2026-11-21T12:00:00.000000Z","level":"error","text":\#(text)}"#]
    }

    private static var storeRecords: [String] {
        (0..<400).map { store("store\($0)", #"{"total":0,"list":[1,2,3]}"#) }
            + (1...800).map { seq in
                commit(
                    seq, (seq - 1) / 400 + 1,
                    ("store\(seq % 400)", "Shop/S\(seq % 400).swift", "f\(seq)()", "/total", "\(seq)"))
            }
    }

    private static var nameRecords: [String] {
        let (name, member) = (long("store", 300), long("member", 5_000))
        return [store(name, "{\"\(member)\":0}")]
            + (1...80).map { seq in
                commit(
                    seq, seq,
                    (
                        name, long("Folder", 400) + "/" + long("File", 300) + ".swift", long("function", 900),
                        "/" + member, "\(seq)"
                    ))
            }
    }

    private static var deepRecords: [String] {
        let depth = 100
        let deep = String(repeating: #"{"child":["#, count: depth) + "1" + String(repeating: "]}", count: depth)
        return [store("cart", #"{"total":0,"tree":\#(deep)}"#)]
            + (1...60).map { seq in
                let path = "/tree" + String(repeating: "/child/0", count: depth)
                return commit(
                    seq, seq, ("cart", "Shop/Cart.swift", "add(_:)", seq % 2 == 0 ? path : "/total", "\(seq)"))
            }
    }
}
