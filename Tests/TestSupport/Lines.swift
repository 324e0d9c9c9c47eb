/// Lines of journals as a test writes them: what it does not name is some value.
public enum Lines {
    /// The time of each line that has one.
    public static let time = #""time":"2026-01-01T00:00:00.000000Z""#
    /// The place of each line that has one.
    public static let at = #""at":{"file":"A/B.swift","line":1,"column":1,"function":"f()"}"#
    /// The first line.
    public static let header = #"{"seq":0,"kind":"journal","version":1,"id":"x",\#(time),"recorder":"hand"}"#

    /// A store that opens with a state.
    public static func store(_ state: String, _ name: String = "s", seq: Int = 0) -> String {
        #"{"seq":\#(seq),"kind":"store","store":"\#(name)","type":"T",\#(time),\#(at),"state":\#(state)}"#
    }

    /// A commit of some operations; `more` is written before its patch, with a comma in front.
    public static func commit(_ seq: Int, _ patch: String, _ store: String = "s", more: String = "") -> String {
        #"{"seq":\#(seq),"kind":"commit","store":"\#(store)","version":\#(seq),\#(time),\#(at)\#(more),"patch":[\#(patch)]}"#
    }

    /// An operation that replaces a value.
    public static func replace(_ path: String, _ value: some Any, old: Int? = nil) -> String {
        #"{"op":"replace","path":"\#(path)","value":\#(value)"# + (old.map { #","old":\#($0)"# } ?? "") + "}"
    }

    /// The text of a journal with these records after its first line.
    public static func journal(_ records: [String]) -> String { ([header] + records).map { $0 + "\n" }.joined() }
}
