/// A revision of the Model Context Protocol that the server speaks.
enum ProtocolRevision: String, CaseIterable, Sendable {
    /// Without a session: each request says what it speaks, each result what it is.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    case march2025 = "2025-03-26"
    case november2024 = "2024-11-05"

    /// The newest revision that begins with 'initialize'.
    static let newestSession = november2025

    /// Whether it begins with 'initialize'.
    var hasSession: Bool { self != .stateless }
}
