internal import StateEncoding

/// The state of data that is loaded: on its way, there, or failed.
///
/// In a journal it is `{"loading":{"content":…}}`, `{"completed":{"content":…}}` or
/// `{"failed":{"error":{"type":"Offline","description":"…"},"content":…}}`.
public enum LoadingState<Content: Sendable>: Sendable {
    /// A request is running; with the earlier content, to be shown meanwhile.
    case loading(content: Content?)
    /// The data is there.
    case completed(content: Content)
    /// The last request failed; with the content from before, to be shown beside the error.
    case failed(error: LoadingError, content: Content? = nil)
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
        case .failed(let error, let content):
            var inner = container.nestedContainer(keyedBy: LoadingKey.self, forKey: .failed)
            try inner.encode(
                encoder.mayRedact(Content.self) ? error.quiet : error, forKey: .error)
            try inner.encodeIfPresent(content, forKey: .content)
        }
    }
}
extension LoadingState: Decodable where Content: Decodable {}

private enum LoadingKey: String, CodingKey { case loading, completed, failed, content, error }

/// An error as a state can hold it: its type and its description, so that it can be compared, recorded and read back;
/// and the error itself, to switch over.
///
///     switch state.error?.underlying {
///     case APIError.unauthorized?: showLogin()
///     case let error?: show("\(error)")
///     case nil: break
///     }
public struct LoadingError: Error, Sendable, CustomStringConvertible {
    /// The error's type, without its module.
    public let type: String
    /// The error in its own words.
    public let description: String
    /// The error that was thrown; nil for one that was read back from a journal, which has only its type and words.
    public private(set) var underlying: (any Error)?

    /// The error of a key that was removed from its repository.
    public static let removed = LoadingError(type: "Removed", description: "it was removed from the repository")

    /// The error without its description.
    fileprivate var quiet: LoadingError { LoadingError(type: type, description: type) }

    private init(type: String, description: String, underlying: (any Error)? = nil) {
        self.type = type
        self.description = description
        self.underlying = underlying
    }

    /// Describes an error.
    public init(_ error: any Error) {
        if let error = error as? LoadingError {
            self = error
        } else {
            self.init(
                type: TypeName.name(of: Swift.type(of: error)), description: String(describing: error),
                underlying: error)
        }
    }
}

extension LoadingError: Hashable {
    /// Whether type and words are equal; and the errors themselves, if both are there and can be compared.
    public static func == (left: LoadingError, right: LoadingError) -> Bool {
        func isEqual<Known: Equatable>(_ left: Known) -> Bool {
            (right.underlying as? Known).map { $0 == left } ?? true
        }
        guard left.type == right.type, left.description == right.description else { return false }
        return (left.underlying as? any Equatable).map { isEqual($0) } ?? true
    }

    /// Hashes type and words.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(description)
    }
}

extension LoadingError: Codable {
    private enum CodingKeys: String, CodingKey { case type, description }
}

extension LoadingState {
    /// The data, if there is any: of a completed state, or what a loading or failed one shows meanwhile.
    public var content: Content? {
        switch self {
        case .loading(let content): content
        case .completed(let content): content
        case .failed(_, let content): content
        }
    }

    /// Whether a request is running.
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// What went wrong; nil if nothing did.
    public var error: LoadingError? { if case .failed(let error, _) = self { error } else { nil } }

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
        case .failed(let error, let content?): .failed(error: error, content: try transform(content))
        case .failed(let error, nil): .failed(error: error)
        }
    }

    /// One state of this and others: failed if one is, with the first one's error; else loading if one is; else completed.
    ///
    /// It has content if all have some.
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
        guard hasContent, let content else {
            return error.map { .failed(error: $0) } ?? .loading(content: nil)
        }
        // All have content; an optional content may itself be nil, so it is taken from its case and not unwrapped.
        let zipped = try transform(content, repeat (each others).knownContent)
        if let error { return .failed(error: error, content: zipped) }
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
