import Testing

@testable import StateEncoding

@Suite("Dictionaries read by their buckets")
struct BucketViewTests {
    #if os(Linux) && _pointerBitWidth(_64)
    @Test("every entry is found where the view says", arguments: [1, 3, 40, 1_000])
    func entries(count: Int) throws {
        let table = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key number \($0)", $0) })
        let view = try #require(BucketView(table))
        var found: [String: Int] = [:]
        for bucket in 0..<view.count where view.occupied(word: bucket / 64) >> UInt64(bucket % 64) & 1 == 1 {
            let key = view.key(bucket, stride: MemoryLayout<String>.stride).load(as: String.self)
            found[key] = view.value(bucket, stride: MemoryLayout<Int>.stride).load(as: Int.self)
        }
        #expect(found == table)
        var copy = table
        copy["key number 0"] = -1
        #expect(try #require(BucketView(copy)).isLaidOut(like: view))
    }
    #endif

    @Test("a table that grew, shrank or was hashed anew has the same differences")
    func rehashed() throws {
        let small = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, "\($0)") })
        let probe = try EncodingProbe(small)
        var large = small
        for key in 10..<500 { large[key] = "new" }
        try probe.advance(to: large)
        large[3] = "other"
        try probe.advance(to: large.filter { $0.key % 2 == 1 })
        #expect(try probe.advance(to: Dictionary(uniqueKeysWithValues: large.filter { $0.key % 2 == 1 })) == "[]")
        try probe.advance(to: [:])
        try probe.advance(to: small)
    }
}
