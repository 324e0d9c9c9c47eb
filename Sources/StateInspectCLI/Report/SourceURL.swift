/// Where a page's places in the source lead to: an address with `{file}` and `{line}` in it.
struct SourceURL {
    /// The address, as it was typed.
    let template: String

    /// An address that was typed.
    ///
    /// - Throws: `UsageError` where it is none of the web, which alone a page may lead to, or does not say where the file goes.
    init(_ text: String) throws(UsageError) {
        let isOfTheWeb = ["https://", "http://"].contains { text.lowercased().hasPrefix($0) }
        let parts = text.split(separator: "{file}", maxSplits: 1, omittingEmptySubsequences: false)
        guard isOfTheWeb, parts.count == 2 else {
            throw .value(
                .sourceURL, text, expected: "an address such as 'https://host/tree/main/Sources/{file}#L{line}'")
        }
        template = text
    }
}
