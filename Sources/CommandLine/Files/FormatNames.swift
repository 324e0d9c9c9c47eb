import Diagnostics
import JSONCore

/// The common names of formats, of the tools that read and write them.
package enum FormatNames {
    private static let names: [String: String] = [
        "redux": "redux-devtools", "devtools": "redux-devtools", "reduxdevtools": "redux-devtools",
        "perfetto": "chrome-trace", "chrome": "chrome-trace", "trace": "chrome-trace",
        "patch": "json-patch", "jsonpatch": "json-patch", "rfc6902": "json-patch",
        "json": "jsonl", "ndjson": "jsonl", "log": "jsonl", "logs": "jsonl", "jsonlines": "jsonl",
        "pino": "jsonl", "bunyan": "jsonl", "tsv": "csv", "excel": "csv", "table": "csv",
        "opentelemetry": "otlp", "otel": "otlp", "agent": "messages", "chat": "messages", "openai": "messages",
        "mst": "mobx-state-tree", "mobx": "mobx-state-tree", "kubectl": "kubernetes", "k8s": "kubernetes",
        "kafka": "debezium", "postgres": "wal2json", "tla": "itf", "apalache": "itf", "quint": "itf",
        "test": "swift-test", "swift": "swift-test", "states": "snapshots", "snapshot": "snapshots",
    ]

    package static func unknown(_ word: String, _ known: [String], of look: FileLook? = nil) -> CommandFailure {
        let near = SimilarNames.nearest(to: word, in: known + names.filter { known.contains($0.value) }.keys.sorted())
        let formats = near.map { names[$0] ?? $0 }
        let help = formats.enumerated().filter { formats.firstIndex(of: $0.element) == $0.offset }.map {
            "write '\($0.element)'"
        }
        return CommandFailure(
            .usage,
            Diagnostic(
                code: "usage.argument", "FORMAT is '\(word)', should be one of the formats",
                notes: ["they are " + UsageError.quoted(known)]
                    + (look == nil ? [] : ["a format stands before the file"]),
                help: look?.help ?? help))
    }

    /// The format that a word is a common name of; nil where it is none of these, or the command has not that format.
    package static func format(_ word: String, _ known: [String]) -> String? {
        names[word.lowercased().filter { $0 != "-" && $0 != "_" }].flatMap { known.contains($0) ? $0 : nil }
    }
}
