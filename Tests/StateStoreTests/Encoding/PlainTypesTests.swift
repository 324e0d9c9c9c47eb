import Foundation
import Testing

@testable import StateEncoding

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
    func plainTypes() {
        for type in Self.plain { #expect(PlainTypes.contains(type), "\(type)") }
    }

    @Test("what holds a reference, a pointer, a function or an existential is not plain")
    func otherTypes() {
        for type in Self.others { #expect(!PlainTypes.contains(type), "\(type)") }
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
            let start = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
            #expect(layout.same(start, start + 24))
            memory[40] ^= 1
            #expect(!layout.same(start, start + 24))
        }
    }
}
