/// A format that journals are written in for other tools.
public enum ExportFormat: String, CaseIterable, Sendable {
    case jsonPatch = "json-patch"
    case reduxDevtools = "redux-devtools"
    case chromeTrace = "chrome-trace"
    case csv, itf
    case swiftTest = "swift-test"
}
