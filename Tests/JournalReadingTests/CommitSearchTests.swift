import JSONCore
import TestSupport
import Testing

@testable import JournalFormat
@testable import JournalReading

@Suite("Searching a commit's line for places")
struct CommitSearchTests {
    /// What the strict parser says of a line; nil where it is no commit with a store and a patch.
    private struct Commit {
        let store: String
        /// The pointers that it writes to, and takes from.
        var places: [String] = []

        init?(_ line: [UInt8]) {
            guard case .object(let record)? = try? JSONParser.parse(line.withUnsafeBytes { [UInt8]($0) }),
                case .string("commit")? = record["kind"], case .string(let store)? = record["store"],
                let member = record["patch"], let patch = try? JSONPatch(json: member)
            else { return nil }
            self.store = store
            for operation in patch.operations {
                switch operation {
                case .test: break
                case .move(let from, let path), .copy(let from, let path):
                    places += [from.description, path.description]
                default: places.append(operation.path.description)
                }
            }
        }
    }

    /// What the search says of a line for somebody who waits for one place; nil where it leaves the line to the walk.
    private func isFound(_ place: String, in line: [UInt8], ofStore expected: String) -> Bool? {
        line.withUnsafeBytes { bytes in
            let start = LineHead(bytes)?.end ?? 0
            guard let store = CommitWalk.firstStore(of: bytes, from: start), store.text == expected else { return nil }
            return CommitSearch.anyPlace(in: bytes, after: store.end(in: bytes)) { text, _ in
                String(decoding: text, as: UTF8.self) == place
            }
        }
    }

    @Test(
        "a place that a commit writes is found, or the line is left to the walk",
        arguments: seeds(1..<41))
    func found(seed: UInt64) {
        var (answers, questions) = (0, 0)
        for line in WrittenLines.commits(seed) {
            guard let commit = Commit(line) else { continue }
            for place in commit.places + ["", "/nowhere"] {
                let found = isFound(place, in: line, ofStore: commit.store)
                if found == false {
                    #expect(!commit.places.contains(place), "\(place) in \(String(decoding: line, as: UTF8.self))")
                }
                questions += 1
                if found != nil { answers += 1 }
            }
            // Nothing that looks like an operation stands inside of these values.
            let elsewhere = isFound("/nowhere", in: line, ofStore: commit.store)
            #expect(elsewhere != true, "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(answers * 2 > questions, "the search answered \(answers) of \(questions) questions")
    }

    @Test(
        "of a line that was changed no place is missed that the strict parser tells",
        arguments: seeds(1..<41))
    func changed(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for line in WrittenLines.commits(seed) {
            for _ in 0..<12 {
                let changed = WrittenLines.change(line, &random)
                guard let commit = Commit(changed) else { continue }
                for place in commit.places {
                    let found = isFound(place, in: changed, ofStore: commit.store)
                    #expect(found != false, "\(place) in \(String(decoding: changed, as: UTF8.self))")
                }
            }
        }
    }

    @Test(
        "white space between the members is as good",
        arguments: [
            #"{"seq":1,"kind":"commit","store":"a","patch":[{"op": "add", "path": "/x", "value": 1}]}"#,
            #"{"seq":1,"kind":"commit","store":"a","patch":[{ "op" : "remove" , "path" : "/x" }]}"#,
            #"{"seq":1,"kind":"commit","store":"a","patch":[{"op": "replace", "path":"/x","value":1}]}"#,
        ])
    func spaced(line: String) {
        #expect(isFound("/x", in: Array(line.utf8), ofStore: "a") == true)
        #expect(isFound("/y", in: Array(line.utf8), ofStore: "a") == false)
    }

    @Test(
        "a name that an escape hides, or another order, leaves the line to the walk",
        arguments: [
            #"{"seq":1,"kind":"commit","store":"a","patch":[{"op":"add","p\u0061th":"/x","value":1}]}"#,
            #"{"seq":1,"kind":"commit","store":"a","patch":[{"path":"/x","op":"add","value":1}]}"#,
            #"{"seq":1,"kind":"commit","store":"a","patch":[{"op":"move","path":"/y","from":"/x"}]}"#,
            #"{"seq":1,"kind":"commit","store":"a","patch":[{"op":"add","path":"\/x","value":1}]}"#,
            #"{"seq":1,"kind":"commit","store":"a","patch":[],"store":"b"}"#,
        ])
    func left(line: String) {
        #expect(isFound("/x", in: Array(line.utf8), ofStore: "a") == nil)
    }
}
