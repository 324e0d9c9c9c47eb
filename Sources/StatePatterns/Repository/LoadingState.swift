internal import StateEncoding

/// The state of data that is loaded: on its way, there, or failed.
///
/// In a journal it is `{"loading":{"content":…}}`, `{"completed":{"content":…}}` or
/// `{"failed":{"error":{"type":"Offline","description":"…"}}}`.
public enum LoadingState<Content: Sendable>: Sendable {
    /// A request is running; with the earlier content, to be shown meanwhile.
    case loading(content: Content?)
    /// The data is there.
    case completed(content: Content)
    /// The last request failed; a next one starts with the content before it.
    case failed(error: LoadingError)
}

extension LoadingState: Equatable where Content: Equatable {}
extension LoadingState: Encodable where Content: Encodable {
    /// Encodes an object with the case's name; an error only by its type if contents are redacted, since it may quote
    /// one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LoadingKey.self)
        switch self {
        case .loading(let content):
            var inner = container.nestedContainer(keyedBy: LoadingKey.self, forKey: .loading)
            try inner.encodeIfPresent(content, forKey: .content)
        case .completed(let content):
            var inner = container.nestedContainer(keyedBy: LoadingKey.self, forKey: .completed)
            try inner.encode(content, forKey: .content)
        case .failed(let error):
            var inner = container.nestedContainer(keyedBy: LoadingKey.self, forKey: .failed)
            try inner.encode(
                RedactionQuestion.isRedacted(Content.self, in: encoder) ? error.quiet : error, forKey: .error)
        }
    }
}
extension LoadingState: Decodable where Content: Decodable {}

/// The names of the cases, and of what they carry.
private enum LoadingKey: String, CodingKey { case loading, completed, failed, content, error }

/// An error as a state can hold it: its type and its description, so that it can be compared, recorded and read back.
public struct LoadingError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The error's type, without its module.
    public let type: String
    /// The error in its own words.
    public let description: String

    /// The error of a key that was removed from its repository.
    public static let removed = LoadingError(type: "Removed", description: "it was removed from the repository")

    /// The error without its description.
    fileprivate var quiet: LoadingError { LoadingError(type: type, description: type) }

    private init(type: String, description: String) {
        self.type = type
        self.description = description
    }

    /// Describes an error.
    public init(_ error: any Error) {
        if let error = error as? LoadingError {
            self = error
        } else {
            self.init(type: TypeName.name(of: Swift.type(of: error)), description: String(describing: error))
        }
    }
}

extension LoadingState {
    /// The data, if there is any: of a completed state, or what a loading one shows meanwhile.
    public var content: Content? {
        switch self {
        case .loading(let content): content
        case .completed(let content): content
        case .failed: nil
        }
    }

    /// Whether a request is running.
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// What went wrong; nil if nothing did.
    public var error: LoadingError? { if case .failed(let error) = self { error } else { nil } }

    /// The state with its content transformed.
    ///
    /// - Throws: what the closure throws.
    public func map<Other, Failure: Error>(
        _ transform: (Content) throws(Failure) -> Other
    ) throws(Failure) -> LoadingState<Other> {
        switch self {
        case .loading(let content?): .loading(content: try transform(content))
        case .loading(nil): .loading(content: nil)
        case .completed(let content): .completed(content: try transform(content))
        case .failed(let error): .failed(error: error)
        }
    }

    /// One state of this and others: failed if one is, the first one's error; else loading if one is, with content if all
    /// have some; else completed.
    ///
    ///     profile.zip(timeline, badge) { profile, timeline, badge in Home(profile, timeline, badge) }
    ///
    /// - Parameter transform: makes one content of all.
    /// - Throws: what the closure throws.
    public func zip<each Other: Sendable, Zipped, Failure: Error>(
        _ others: repeat LoadingState<each Other>,
        with transform: (Content, repeat each Other) throws(Failure) -> Zipped
    ) throws(Failure) -> LoadingState<Zipped> {
        var (error, isLoading, hasContent) = (error, isLoading, content != nil)
        for other in repeat each others {
            error = error ?? other.error
            isLoading = isLoading || other.isLoading
            hasContent = hasContent && other.content != nil
        }
        if let error { return .failed(error: error) }
        guard hasContent, let content else { return .loading(content: nil) }
        // All have content; an optional content may itself be nil, so it is taken from its case and not unwrapped.
        let zipped = try transform(content, repeat (each others).knownContent)
        return isLoading ? .loading(content: zipped) : .completed(content: zipped)
    }

    private var knownContent: Content {
        guard let content else { preconditionFailure("a state without content") }
        return content
    }

    /// One state of this and others, with a tuple of their contents.
    public func zip<each Other: Sendable>(
        _ others: repeat LoadingState<each Other>
    ) -> LoadingState<(Content, repeat each Other)> {
        zip(repeat each others, with: { (content: Content, other: repeat each Other) in (content, repeat each other) })
    }
}
