import JSONCore
import JournalFormat
import StateStore
import Testing

@testable import StateEncoding

#if canImport(Glibc)
import Glibc
#endif

@Suite("Encoding with and without reading layouts")
struct LayoutReadingTests {
    struct Point: Codable, Equatable, Sendable {
        var x = 0
        var flag = false
        var name = ""
    }

    enum Shape: Codable, Equatable, Sendable { case circle(Int), square(Int), none }

    struct Drawing: Codable, Equatable, Sendable {
        var points: [Point] = []
        var byName: [String: Point] = [:]
        var tags: Set<String> = []
        var shape = Shape.none
    }

    @Test("without, nothing is known of a type of the app's, and all of the standard ones")
    func types() {
        #expect(PlainTypes.contains(Point.self, readsLayouts: true))
        #expect(!PlainTypes.contains(Point.self, readsLayouts: false))
        #expect(PlainTypes.contains([String: [Int]].self, readsLayouts: false))
        #expect(!PlainTypes.contains((Int, String).self, readsLayouts: false))
        var off = EncodingOptions()
        off.readsLayouts = false
        #expect(BucketView([1: 2], off) == nil && BucketView([1] as Set, off) == nil)
    }

    #if canImport(Glibc) && arch(x86_64)
    @Test("a struct of C is one range: its bit-fields are in no list of fields")
    func bitFields() {
        let before = fenv_t()
        var after = before
        // `__opcode:11` begins there.
        withUnsafeMutableBytes(of: &after) { $0[18] ^= 1 }
        #expect(!ByteLayout.of(fenv_t.self).holdsSame(before, after))
        #expect(!ContentComparison.same(before, after))
    }
    #endif

    @Test("what is known of a type is found once in a process")
    func cached() {
        #expect(ByteLayout.of(Point.self) === ByteLayout.of(Point.self))
        #expect(ByteLayout.of(Point.self, readsLayouts: false) !== ByteLayout.of(Point.self, readsLayouts: true))
        #expect(TypeFacts.of(Point.self, readsLayouts: true) === TypeFacts.of(Point.self, readsLayouts: true))
    }

    @Test("a recorder that does not read layouts writes a journal of the same states")
    func journals() throws {
        var found: [[JSONValue]] = []
        for readsLayouts in [true, false] {
            let journal = TemporaryJournal()
            var options = Recorder.Options.reproducible
            options.readsLayouts = readsLayouts
            let recorder = try Recorder(journal.path, options: options)
            let store = Store(Drawing(), name: "drawing", recorder: recorder)
            for number in 0..<60 {
                store.commit { drawing in
                    drawing.points.append(Point(x: number, name: "p\(number)"))
                    if number % 7 == 0 { drawing.points.swapAt(0, number / 2) }
                    drawing.byName["\(number % 10)", default: Point()].x += 1
                    drawing.tags.formSymmetricDifference(["\(number % 4)"])
                    drawing.shape = number % 3 == 0 ? .circle(number) : number % 3 == 1 ? .square(number) : .none
                }
            }
            recorder.close()
            try journal.verify()
            found.append(try journal.replayed().compactMap { $0["drawing"] })
        }
        #expect(found[0].count == 60 && found[0] == found[1])
    }
}
