import Foundation
import JSONCore
import JournalFormat
import StateStore
import Testing

@testable import StateEncoding

#if canImport(Glibc)
import Glibc
#endif

@Suite("Types whose bytes tell their values")
struct PlainTypesTests {
    final class Node {}
    struct Point { var x: Int; var flag: Bool; var y: Double }
    struct Held<Value> { var value: Value; var list: [Value] }
    struct Weak { weak var node: Node? }
    struct Unowned { unowned let node: Node }
    struct Unmanaged { unowned(unsafe) var node: Node }
    struct Lazy { lazy var value = 1 }
    enum Tree { case leaf(Int); indirect case branch(Tree, [Tree]) }
    enum Hiding { case empty; case some(Node) }
    enum Bare { case a, b }

    static let plain: [Any.Type] = [
        Int.self, String.self, Point.self, Held<String>.self, [Point].self, [String: [Int: Point?]].self,
        Set<UUID>.self, Date?.self, (Int, String).self, Tree.self, Bare.self, Held<Tree>.self, Lazy.self, Void.self,
        ContiguousArray<Decimal>.self, URL.self, Data.self, Range<Int>.self, Held<(Int, Tree?)>.self,
    ]
    static let others: [Any.Type] = [
        Node.self, Weak.self, Unowned.self, Unmanaged.self, Hiding.self, Held<Hiding>.self, [Node].self,
        [String: Node].self, (any Equatable).self, Any.self, AnyObject.self, (() -> Void).self, Held<() -> Void>.self,
        UnsafePointer<Int>.self, Held<UnsafeRawPointer>.self, (Int, Node).self, Node?.self, AnyHashable.self,
        KeyPath<String, Int>.self, Int.Type.self, Held<Unmanaged>.self,
    ]

    @Test("values, and what holds nothing but values, are plain")
    func plainTypes() { for type in Self.plain { #expect(PlainTypes.contains(type), "\(type)") } }

    @Test("what holds a reference, a pointer, a function or an existential is not plain")
    func otherTypes() { for type in Self.others { #expect(!PlainTypes.contains(type), "\(type)") } }

    @Test("the elements of a tuple lie where the compiler puts them, whatever the runtime's memory held before")
    func tuples() throws {
        func check<First, Second>(_: First.Type, _: Second.Type) throws {
            typealias Pair = (First, Second)
            let fields = try #require(RuntimeFields.stored(in: Pair.self), "\(Pair.self)")
            #expect(fields.map(\.offset) == [0, MemoryLayout<Pair>.offset(of: \.1)], "\(Pair.self)")
        }
        func check<First>(_ first: First.Type) throws {
            // What the runtime allocates next is not all zeros.
            let used = (0..<64).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 16) }
            for memory in used { memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: 4_096) }
            used.forEach { $0.deallocate() }
            try check(first, UInt8.self)
            try check(first, Int16.self)
            try check(first, Double.self)
            try check(first, String.self)
            try check(first, [First].self)
            try check(first, Held<Tree>?.self)
            try check(first, Point.self)
            try check(first, (Bool, String).self)
        }
        try check(Bool.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(String.self)
        try check(Point.self)
        try check(Bare.self)
        try check(Held<String>.self)
        try check(UUID.self)
        try check((UInt8, Float).self)
        try check([Tree].self)
    }

    @Test("bytes between properties do not count")
    func padding() {
        let layout = ByteLayout.of(Point.self)
        withUnsafeTemporaryAllocation(byteCount: 48, alignment: 8) { memory in
            for (copy, filler) in [(0, UInt8(0)), (1, UInt8(255))] {
                let place = memory.baseAddress.unsafelyUnwrapped + copy * 24
                place.initializeMemory(as: UInt8.self, repeating: filler, count: 24)
                place.storeBytes(of: 7, as: Int.self)
                place.storeBytes(of: true, toByteOffset: 8, as: Bool.self)
                place.storeBytes(of: 1.5, toByteOffset: 16, as: Double.self)
            }
            let start = Address(UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped))
            #expect(layout.same(start, start + 24))
            memory[40] ^= 1
            #expect(!layout.same(start, start + 24))
        }
    }
}

@Suite("Encoding with and without reading layouts")
struct LayoutReadingTests {
    struct Point: Codable, Equatable, Sendable {
        var x = 0
        var flag = false
        var name = ""
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
}

@Suite("Where a key path leads in the JSON")
struct KeyPathPointerTests {
    struct User: Encodable {
        var name = "Ann"
        var renamed = 1
        var swapped = 2
        var shout: String { name.uppercased() }
        var address: Address? = Address()
        var absent: Address?
        enum CodingKeys: String, CodingKey {
            case name, address, absent
            case renamed = "a/b"
            case swapped = "renamed"
        }
    }

    struct Address: Encodable { var city = "Rome" }

    struct State: Encodable {
        var user = User()
        var list = [1, 2]
        var table = ["a": 1]
    }

    @Test("stored properties are found, what is not told by a name is unknown")
    func pointers() throws {
        let encoder = try StateEncoder(State())
        #expect(encoder.pointer(for: \.self) == "")
        #expect(encoder.pointer(for: \.user) == "/user")
        #expect(encoder.pointer(for: \.user.name) == "/user/name")
        #expect(encoder.pointer(for: \.list) == "/list")
        #expect(encoder.pointer(for: \.user.address?.city) == "/user/address/city")
        #expect(encoder.pointer(for: \.user.shout) == nil)
        #expect(encoder.pointer(for: \.list[0]) == nil)
        #expect(encoder.pointer(for: \.list.count) == nil)
        #expect(encoder.pointer(for: \.table["a"]) == nil)
        #expect(encoder.pointer(for: \.user.absent?.city) == nil)
    }

    @Test("a property that another one took the name of is unknown")
    func renamed() throws {
        let encoder = try StateEncoder(State())
        #expect(encoder.pointer(for: \.user.renamed) == nil)
        #expect(encoder.pointer(for: \.user.swapped) == nil)
    }
}
