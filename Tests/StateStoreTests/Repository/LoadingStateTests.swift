import Foundation
import StateStore
import Testing

private typealias Number = LoadingState<Int>
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
