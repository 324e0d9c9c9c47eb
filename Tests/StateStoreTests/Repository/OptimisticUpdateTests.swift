import Foundation
import StateStore
import Synchronization
import Testing

@testable import StatePatterns
@testable import StoreCore

private typealias Number = LoadingState<Int>

/// Updates that show what they expect, and what becomes of it.
struct OptimisticUpdateTests {
    private let origin = FakeOrigin()
    private let cache = FakeCache()

    private func make(_ recorder: Recorder? = nil) -> Repository<Int, Int> {
        Repository("numbers", recorder: recorder, source: .of(origin, cache))
    }

    @Test("what an update expects is shown when it begins, and the result when it ends")
    func success() async throws {
        let repository = make()
        await repository.set(1, for: 7)
        let seen = Log<Number>()
        let subscription = repository.observe(7) { seen.add($0) }
        let result = try await repository.update(7, optimistically: { $0 += 1 }) { value in
            #expect(seen.entries.last == .completed(content: 2))
            #expect(value == 2, "the closure begins with the guess")
            value = 3
        }
        #expect(result == 3)
        #expect(seen.entries == [.completed(content: 1), .completed(content: 2), .completed(content: 3)])
        #expect(cache.writes.entries == [1, 3], "the cache never has the guess")
        subscription.cancel()
    }

    @Test("an update that fails takes back what it showed, in commits of its own")
    func failure() async throws {
        let (journal, recorder) = try TemporaryJournal.recording()
        let repository = make(recorder)
        await repository.set(1, for: 7)
        let seen = Log<Number>()
        let subscription = repository.observe(7) { seen.add($0) }
        await #expect(throws: Offline.self) {
            try await repository.update(7, optimistically: { $0 += 1 }) { _ in throw Offline() }
        }
        #expect(seen.entries == [.completed(content: 1), .completed(content: 2), .completed(content: 1)])
        #expect(cache.writes.entries == [1])
        #expect(repository.table.withLock(\.count) == 0, "nothing is left to remember of the key")
        recorder.close()
        #expect(try journal.records("commit").map { try $0.text("name") } == ["set", "guess", "takeBack"])
        subscription.cancel()
    }

    @Test("what is loading or has failed stays so while a guess is shown and taken back")
    func otherStates() async throws {
        let repository = make()
        await repository.set(1, for: 7)
        let failing = repository.refresh(7)
        await origin.next().answer(.failure(Offline()))
        _ = try? await failing.value
        let error = LoadingError(Offline())
        await #expect(throws: CancellationError.self) {
            try await repository.update(7, optimistically: { $0 = 5 }) { _ in
                #expect(repository.state(of: 7) == .failed(error: error, content: 5))
                throw CancellationError()
            }
        }
        #expect(repository.state(of: 7) == .failed(error: error, content: 1))
        await #expect(throws: Offline.self) {
            try await repository.update(7, optimistically: { $0 = 5 }) { _ in
                repository.refresh(7)
                throw Offline()
            }
        }
        #expect(repository.state(of: 7) == .loading(content: 1))
        await origin.next().answer(.success(9))
        #expect(try await repository.value(for: 7) == 9)
    }

    @Test("what replaced a guess is not taken back", arguments: [2, 8])
    func replaced(value: Int) async throws {
        let repository = make()
        await repository.set(1, for: 7)
        await #expect(throws: Offline.self) {
            try await repository.update(7, optimistically: { $0 += 1 }) { _ in
                await repository.set(value, for: 7)
                throw Offline()
            }
        }
        #expect(repository.state(of: 7) == .completed(content: value))
    }

    @Test("a key that is removed while a guess is shown stays removed", arguments: [false, true])
    func removed(succeeds: Bool) async throws {
        let repository = make()
        await repository.set(1, for: 7)
        await #expect(throws: (any Error).self) {
            try await repository.update(7, optimistically: { $0 += 1 }) { _ in
                await repository.remove(7)
                if !succeeds { throw Offline() }
            }
        }
        #expect(repository.state(of: 7) == nil)
        #expect(cache[7] == nil)
    }
}

private let offline = LoadingError(Offline())

struct LoadingStateTests {
    @Test(
        "zipped states are failed over loading over completed, and loading ones have content if all have",
        arguments: [
            (
                [Number.completed(content: 1), .completed(content: 2), .completed(content: 3)],
                Number.completed(content: 6)
            ),
            ([.completed(content: 1), .loading(content: 2), .completed(content: 3)], .loading(content: 6)),
            ([.completed(content: 1), .loading(content: nil), .completed(content: 3)], .loading(content: nil)),
            ([.loading(content: nil), .failed(error: offline), .completed(content: 3)], .failed(error: offline)),
            ([.completed(content: 1), .completed(content: 2), .failed(error: offline)], .failed(error: offline)),
            (
                [.completed(content: 1), .loading(content: 2), .failed(error: offline, content: 3)],
                .failed(error: offline, content: 6)
            ),
        ])
    fileprivate func zip(states: [LoadingState<Int>], zipped: LoadingState<Int>) {
        #expect(states[0].zip(states[1], states[2], with: { $0 + $1 + $2 }) == zipped)
    }

    @Test("two states zip into a tuple, of several errors the first is told")
    func pairs() {
        let both = Number.completed(content: 1).zip(LoadingState<String?>.completed(content: nil))
        #expect(both.content?.0 == 1)
        #expect(both.content.map { $0.1 == nil } == true)
        let other = LoadingError(CancellationError())
        #expect(Number.failed(error: other).zip(Number.failed(error: offline)).error == other)
    }

    @Test("a state's content can be mapped, its kind stays")
    func map() {
        #expect(Number.loading(content: 1).map { "\($0)" } == .loading(content: "1"))
        #expect(Number.loading(content: nil).map { "\($0)" } == .loading(content: nil))
        #expect(Number.completed(content: 1).map { "\($0)" } == .completed(content: "1"))
        #expect(Number.failed(error: offline).map { "\($0)" } == .failed(error: offline))
        #expect(
            Number.failed(error: offline, content: 1).map { "\($0)" } == .failed(error: offline, content: "1"))
    }

    @Test("an error is held by its type and its words, and read back from JSON")
    func errors() throws {
        #expect(offline.type == "Offline")
        #expect(offline.description == "Offline()")
        #expect(LoadingError(offline) == offline)
        for state in [
            Number.failed(error: offline), .failed(error: offline, content: 3), .completed(content: 1),
            .loading(content: 2), .loading(content: nil),
        ] {
            let data = try JSONEncoder().encode(state)
            #expect(try JSONDecoder().decode(LoadingState<Int>.self, from: data) == state)
        }
    }

    private enum APIError: Error, Equatable {
        case unauthorized
        case status(Int)
    }

    private struct Unnamed: Error, Equatable, CustomStringConvertible {
        var code: Int
        var description: String { "it failed" }
    }

    @Test("an error may be switched over as it was thrown, until it is read back from JSON")
    func underlying() throws {
        let state = Number.failed(error: LoadingError(APIError.status(404)))
        switch state.error?.underlying {
        case APIError.status(let code)?: #expect(code == 404)
        default: Issue.record("the error is \(state)")
        }
        #expect(state != .failed(error: LoadingError(APIError.status(500))))
        #expect(LoadingError(Unnamed(code: 1)) == LoadingError(Unnamed(code: 1)))
        #expect(LoadingError(Unnamed(code: 1)) != LoadingError(Unnamed(code: 2)), "the words are equal, the errors not")
        let data = try JSONEncoder().encode(state)
        #expect(!String(decoding: data, as: UTF8.self).contains("underlying"))
        let read = try JSONDecoder().decode(LoadingState<Int>.self, from: data)
        #expect(read.error?.underlying == nil)
        #expect(read == state && state == read, "what was read back has the type and the words alone")
    }
}
