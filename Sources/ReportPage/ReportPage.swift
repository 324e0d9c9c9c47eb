import CommandLine
import Commands
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// One HTML file that asks for nothing else.
///
/// What a journal holds never stands in it as markup: what is small is JSON in an element that no browser runs, with
/// every `<` escaped, the lines are packed, and the script shows both as text. The content security policy lets the
/// page run its own script and style, each named by its hash, and load nothing.
package struct ReportPage {
    /// What heads the page; the journal's name unless given.
    var title: String?
    var note: String?
    var sourceURL: String?
    /// The address has `{trace}` and `{span}` in it; nil for nowhere.
    var traceURL: String?
    /// Where the source files are, by the names that the runs have for them; nil if they were not looked up.
    var sources: JSONObject?
    /// The source lines around the places; nil if they were not looked up.
    var excerpts: JSONObject?
    var redacted: [String] = []
    var unread: [String] = []
    var isPacked = true

    private let runs: [ReportRun]
    private let divergence: ReportDivergence?

    package init(_ runs: [ReportRun], _ divergence: ReportDivergence?) {
        self.runs = runs
        self.divergence = divergence
    }

    func write(_ put: ([UInt8]) throws -> Void) throws {
        try put(Array(Self.head.utf8))
        try put(Array("<body>\n\(BuiltInPage.body)\n".utf8))
        try put(Array("<script type=\"application/json\" id=\"about\">\(Self.embedded(try about()))</script>\n".utf8))
        try put(Array("<script>\(BuiltInPage.script)</script>\n".utf8))
        for (run, index) in zip(runs, runs.indices) {
            for (name, texts) in [("beginning", run.chunks.beginnings), ("chunk", run.chunks.texts)] {
                for (text, chunk) in zip(texts, texts.indices) {
                    try put(Array("<script type=\"text/plain\" id=\"\(name)-\(index)-\(chunk)\">".utf8))
                    try put(text)
                    try put(Array("</script>\n".utf8))
                }
            }
        }
        try put(Array("</body>\n</html>\n".utf8))
    }

    private static var head: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>state-inspect</title>
        <style>\(BuiltInPage.style)</style>
        </head>

        """
    }

    static var policy: String {
        "default-src 'none'; script-src '\(hash(of: BuiltInPage.script))'; style-src '\(hash(of: BuiltInPage.style))'; "
            + "base-uri 'none'; form-action 'none'"
    }

    private static func hash(of text: String) -> String {
        var digest = SHA256()
        text.withBytes { digest.update($0) }
        return "sha256-" + Base64.encode(digest.finish())
    }

    /// JSON as it may stand in an element of a page: nothing in it is markup, invisible, or acts on who shows the file.
    static func embedded(_ value: JSONValue) -> String {
        ControlCharacters.escapedJSON(value.text()).replacing("<", with: "\\u003c").replacing(">", with: "\\u003e")
            .replacing("&", with: "\\u0026")
    }

    private func about() throws -> JSONValue {
        .members([
            "version": .string(Program.version), "packed": .bool(isPacked), "title": title.map(JSONValue.string),
            "note": note.map(JSONValue.string),
            "sourceURL": sourceURL.map(JSONValue.string), "traceURL": traceURL.map(JSONValue.string),
            "sources": sources.map(JSONValue.object),
            "excerpts": excerpts.map(JSONValue.object),
            "redacted": .array(redacted.map(JSONValue.string)),
            "unread": .array(unread.map(JSONValue.string)),
            "runs": .array(try runs.map { try $0.json() }), "divergence": divergence?.json,
            "places": places,
        ])
    }

    /// The source lines that began violations, those of the most runs first.
    private var places: JSONValue {
        var summary = CheckSummary()
        for run in runs {
            if let checked = run.checked { summary.add(checked) }
        }
        return .array(
            summary.ranking.map { location in
                .members([
                    "invariant": .string(location.invariant), "location": location.place.map { .string($0.text) },
                    "function": location.place?.function.map(JSONValue.string),
                    "journals": .number(location.journals), "positions": .number(location.positions),
                    "run": runs.firstIndex { UTF8Order.equal($0.journal.path, location.journal) }.map { .number($0) },
                    "seq": .number(location.seq),
                ])
            })
    }
}
