import Foundation
import JSONCore
import JournalFormat
import Platform
import StateStore
import Testing

@testable import StateStoreTesting
@testable import StoreCore

/// A secret in every form in which a text could hold it.
private struct Needle {
    let secret = "S3CR3T é\"/\u{1F511}"
    private let forms: [[UInt8]]

    init() {
        let utf8 = Array(secret.utf8)
        let escapes = secret.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let hexadecimal = utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var texts = [secret, escapes.joined(), hexadecimal, hexadecimal.uppercased()]
        texts.append(secret.unicodeScalars.map { $0.isASCII ? "\($0)" : $0.escaped(asASCII: true) }.joined())
        texts.append(utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined())
        texts.append(String(decoding: JSONWriter.text(secret).dropFirst().dropLast(), as: UTF8.self))
        texts.append(String(reflecting: secret))
        texts.append(secret.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? secret)
        // Whatever stands before it, two of the three ways to cut it into groups of three bytes show its middle.
        for skipped in 0..<3 { texts.append(Data(utf8.dropFirst(skipped).prefix(12)).base64EncodedString()) }
        // The plain part alone, too: what escapes the rest in a way of its own.
        texts.append("S3CR3T")
        let wide = secret.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let big = secret.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        forms = texts.map { Array($0.utf8) } + [wide, big, utf8.reversed()]
    }

    /// The forms that are in some bytes.
    func found(in bytes: [UInt8]) -> [String] {
        let text = Data(bytes)
        return forms.filter { text.range(of: Data($0)) != nil }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONWriter {
    fileprivate static func text(_ string: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(string, to: &bytes)
        return bytes
    }
}

/// A state with the secret as text, as data, as a key, and in a place that moves.
private struct Safe: Codable, Equatable, Sendable {
    var token = ""
    var blob = Data()
    var keyed: [String: Int] = [:]
    var list: [String] = []
    var card: Card?
    var count = 0
    struct Card: Codable, Equatable, Sendable {
        var number = ""
        var isOpen = true
        enum CodingKeys: String, CodingKey { case number = "n", isOpen }
    }

    mutating func fill(with secret: String) {
        token = secret
        blob = Data(secret.utf8)
        keyed = [secret: 1, "\(secret)\(count)": 2]
        list = [secret, "open \(secret)"]
        card = Card(number: secret)
        count += 1
    }

    static let redactions: [Redaction] = [
        "/*/token", "/*/blob", "/*/keyed", "/*/list/*", .keyPath(\Safe.card?.number),
    ]
}

private enum SafeAction: Codable, Sendable, Equatable { case open(token: String, list: [String]) }

private struct Refusal: Error, CustomStringConvertible { let description: String }

struct EveryDoorTests {
    private let needle = Needle()

    /// All that is written, and all that is said.
    private final class Gathered: Sendable {
        let words = Log<String>()
        let journal = TemporaryJournal()

        /// The bytes of the journal, of each of its segments.
        var files: [[UInt8]] {
            let url = URL(filePath: journal.path)
            let name = url.deletingPathExtension().lastPathComponent
            let folder = url.deletingLastPathComponent()
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return files.filter { $0.hasPrefix(name) }.compactMap {
                (try? Data(contentsOf: folder.appending(path: $0))).map { Array($0) }
            }
        }

        func removeFiles() {
            for number in 1...400 {
                _ = try? FileManager.default.removeItem(atPath: "\(journal.path.dropLast(6)).\(number).jsonl")
            }
        }
    }

    @Test(
        "no door of the library lets a redacted secret out, in whatever form",
        arguments: [Recorder.Durability.synchronous, .background], [nil, 96 << 10] as [Int?])
    func everyDoor(durability: Recorder.Durability, limit: Int?) throws {
        let (all, isFull, isRefused, secret) = (Gathered(), Flag(), DispatchSemaphore(value: 0), needle.secret)
        let words = all.words
        var calls = SystemCalls()
        let write = calls.write
        calls.write = { descriptor, bytes, count in
            guard isFull.value else { return write(descriptor, bytes, count) }
            isRefused.signal()
            return -1
        }
        let recorder = try Recorder(
            all.journal.path, durability: durability, redact: Safe.redactions, limit: limit,
            options: .reproducible.retrying,
            calls: calls
        ) { error in words.add("\(error) \(error.diagnostic)") }
        let safe = Store(Safe(), name: "safe", recorder: recorder)
        let links = listen(to: safe, words)
        for round in 0..<40 {
            isFull.value = round % 10 == 5
            useDoors(of: safe, round, secret, words)
            recorder.mark("round \(round)")
            // A thread in the background may write only now.
            if isFull.value { isRefused.wait() }
        }
        isFull.value = false
        // A store that begins with the secret, and goes with it: often enough for a keyframe, without a limit.
        var initial = Safe()
        initial.fill(with: secret)
        for _ in 0..<(limit == nil ? 100 : 20) {
            Store(initial, name: "safe", recorder: recorder).commit { $0.fill(with: secret + "+") }
        }
        recorder.close()
        links.forEach { $0.cancel() }
        let files = all.files
        #expect(files.count >= (limit == nil ? 1 : 2) && files.contains { !needle.found(in: $0).isEmpty } == false)
        for file in files { #expect(needle.found(in: file).isEmpty, "\(needle.found(in: file))") }
        for word in words.entries { #expect(needle.found(in: Array(word.utf8)).isEmpty, "\(word)") }
        let text = files.map { String(decoding: $0, as: UTF8.self) }.joined()
        for kind in ["commit", "keyframe", "gap", "outcome", "abort", "mark", "derived", "store"] {
            #expect(text.contains(#""kind":"\#(kind)""#), "\(kind) was no door")
        }
        #expect(text.contains(#""action":{"type":"SafeAction.open""#) && !words.entries.isEmpty)
        all.removeFiles()
    }

    private func listen(to safe: Store<Safe>, _ words: Log<String>) -> [Subscription] {
        let tokens = safe.derived(\.token, named: "tokens") { $0 }
        let letters = safe.derived(\.list, named: "letters") { $0.joined() }
        let chained = tokens.derived(named: "chained") { [$0] }
        let note: @Sendable (StatePatch?) -> Void = { if let patch = $0 { words.add("\(patch) \(patch.operations)") } }
        return [
            safe.subscribe { changes in
                note(try? changes.patch)
                words.add("\(changes) \(String(reflecting: changes))")
            },
            tokens.subscribe { note(try? $0.patch) }, letters.subscribe { note(try? $0.patch) },
            chained.subscribe { note(try? $0.patch) },
        ]
    }

    private func useDoors(of safe: Store<Safe>, _ round: Int, _ secret: String, _ words: Log<String>) {
        let place = CommitLocation(file: "A/B.swift", line: round, column: 1, function: "f()")
        let action = CommitAction(of: SafeAction.open(token: "\(secret)\(round)", list: [secret]))
        let commit = safe.commit(named: "open", action: action, at: place) { $0.fill(with: "\(secret)\(round)") }
        words.add("\(commit) \(String(reflecting: commit))")
        var dumped = ""
        dump(commit, to: &dumped)
        words.add(dumped + "\(safe) \(String(reflecting: safe)) \(commit.changes) \(commit.reference)")
        if let patch = try? commit.changes.patch { words.add(patch.json) }
        if let patch = try? safe.patch(from: Safe(), to: safe.state) { words.add(patch.json) }
        _ = try? safe.commit { safe in
            safe.fill(with: secret)
            throw Refusal(description: "refused \(secret)")
        }
        safe.commit { safe in
            safe.keyed = [:]
            safe.card?.isOpen.toggle()
        }
    }

    @Test("a test store over a redacted one fails without saying what is redacted")
    func testStore() async throws {
        let needle = needle
        let recorder = try Recorder(Gathered().journal.path, redact: Safe.redactions, options: .reproducible) { _ in }
        let reducer = Reducer<Safe, SafeAction> { safe, action in
            if case .open(let token, _) = action { safe.fill(with: token) }
        }
        let words = try await issues {
            let store = TestStore(Safe(), name: "safe", recorder: recorder, reducer: reducer)
            let action = SafeAction.open(token: needle.secret, list: [])
            store.send(action)
            store.send(action) { $0.token = "\(needle.secret)!" }
            store.store.dispatch(action)
            await store.receive(.open(token: "\(needle.secret)?", list: []), timeout: .milliseconds(1))
            store.store.dispatch(action)
            await store.finish()
        }.map { $0.comments.map(\.rawValue).joined(separator: " ") }
        recorder.close()
        #expect(words.count >= 4)
        for word in words { #expect(needle.found(in: Array(word.utf8)).isEmpty, "\(word)") }
        #expect(words.contains { $0.contains("/count") && $0.contains("SafeAction.open") })
    }
}
