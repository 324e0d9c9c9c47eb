import JSONCore

/// Places of the source as SARIF's location objects.
struct SarifPlace {
    /// What stands for `--source-root` in a document.
    static let base = "SOURCEROOT"

    let root: SourceRoot?

    /// The location of a record: its place in the source; where it has none, the journal.
    func location(_ place: SourcePlace?, journal: String, message: String? = nil) -> JSONValue {
        .members([
            "physicalLocation": place.map(physical) ?? artifact(journal),
            "logicalLocations": place?.function.map { name in
                .array([.members(["name": .string(name), "kind": .string("function")])])
            },
            "message": message.map { .members(["text": .string(SarifText.message($0))]) },
        ])
    }

    private func physical(_ place: SourcePlace) -> JSONValue {
        let found = root?.path(of: place.file)
        return .members([
            "artifactLocation": .members([
                "uri": .string(SarifText.uri(found ?? place.file)),
                "uriBaseId": found == nil ? nil : .string(Self.base),
            ]),
            "region": place.line.map { line in
                .members(["startLine": .number(line), "startColumn": place.column.map { .number($0) }])
            },
        ])
    }

    private func artifact(_ path: String) -> JSONValue {
        .members(["artifactLocation": .members(["uri": .string(SarifText.uri(path == "-" ? "stdin" : path))])])
    }
}
