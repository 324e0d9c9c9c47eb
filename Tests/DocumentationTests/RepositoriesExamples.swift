import StateStore
import Synchronization
import TestSupport
import Testing

private struct Tweet: Codable, Equatable, Sendable {
    var id: Int
    var likes: Int
}

private enum APIError: Error { case unauthorized, offline }

private struct Client: Sendable {
    func tweet(_ id: Int) async throws -> Tweet { Tweet(id: id, likes: 0) }
    func like(_ id: Int) async throws -> Tweet { Tweet(id: id, likes: 1) }
}

private final class Disk: Sendable {
    let tweets = Mutex<[Int: Tweet]>([:])
    func tweet(_ id: Int) async -> Tweet? { tweets.withLock { $0[id] } }
    func forget(_ id: Int?) async { tweets.withLock { tweets in if let id { tweets[id] = nil } else { tweets = [:] } } }
    func keep(_ tweet: Tweet) async { tweets.withLock { $0[tweet.id] = tweet } }
}

/// The code of the page `Repositories`.
struct RepositoriesExamples {
    @Test("a like on the detail page shows in the list")
    func likes() async throws {
        let (client, disk) = (Client(), Disk())
        let tweets = Repository<Int, Tweet>(
            "tweets",
            source: RepositorySource(
                fetch: { id in try await client.tweet(id) },
                readCache: { id in await disk.tweet(id) },
                writeCache: { _, tweet in await disk.keep(tweet) },
                clearCache: { id in await disk.forget(id) },
                isValid: { _, _, held in held.age.map { $0 < .seconds(60) } ?? true }))
        let seen = Mutex<[LoadingState<Tweet>]>([])
        let row = tweets.observe(42) { state in seen.withLock { $0.append(state) } }
        let tweet = try await tweets.value(for: 42)
        #expect(tweet.likes == 0)
        try await tweets.update(42) { tweet in tweet = try await client.like(tweet.id) }
        #expect(seen.withLock(\.self).last == .completed(content: Tweet(id: 42, likes: 1)))
        #expect(await disk.tweet(42)?.likes == 1)
        let likes = Derived(tweets.input(42), named: "likes") { state in state?.content?.likes ?? 0 }
        #expect(likes.value == 1)
        try await tweets.update(42, optimistically: { $0.likes += 1 }) { tweet in
            tweet = try await client.like(tweet.id)
        }
        #expect(seen.withLock(\.self).suffix(2).map(\.content?.likes) == [2, 1])
        await tweets.removeAll()
        #expect(seen.withLock(\.self).last == .failed(error: .removed))
        #expect(await disk.tweet(42) == nil)
        row.cancel()
    }

    @Test("an error is switched over as it was thrown")
    func errors() async throws {
        let tweets = Repository<Int, Tweet>(
            "tweets", source: RepositorySource(fetch: { _ in throw APIError.unauthorized }))
        _ = try? await tweets.value(for: 42)
        let state = try #require(tweets.state(of: 42))
        var screens: [String] = []
        func showLogin() { screens.append("login") }
        func show(_ message: String) { screens.append(message) }
        switch state.error?.underlying {
        case APIError.unauthorized?: showLogin()
        case let error?: show("\(error)")
        case nil: break
        }
        #expect(screens == ["login"])
    }

    @Test("a repository holds on to so many keys")
    func limit() async throws {
        let client = Client()
        let recent = Repository<Int, Tweet>(
            "recent", keeping: 200, source: RepositorySource(fetch: { id in try await client.tweet(id) }))
        for id in 0..<201 { _ = try await recent.value(for: id) }
        #expect(recent.state(of: 0) == nil && recent.state(of: 1) != nil)
    }

    @Test("several states are one, for a page that shows them together")
    func zip() {
        let author = LoadingState.completed(content: "Ann")
        let tweet = LoadingState.loading(content: Tweet(id: 1, likes: 2))
        let page = author.zip(tweet, with: { author, tweet in "\(author): \(tweet.likes)" })
        #expect(page == .loading(content: "Ann: 2"))
    }
}
