import Foundation
import TestSupport

/// A state of the shapes that ``World`` has none of: every width of number, every kind of key, of `encode(to:)` and of
/// nesting.
struct Shapes: Codable, Equatable {
    struct Empty: Codable, Equatable {}
    struct Tag: RawRepresentable, Codable, Hashable { var rawValue: Int16 }
    struct Pair<First: Codable & Equatable, Second: Codable & Equatable>: Codable, Equatable {
        var first: First
        var second: Second?
    }

    struct Branch: Codable, Equatable, Identifiable {
        var id: UUID
        var leaves: [String]
        var branches: [Branch]
    }

    indirect enum Expression: Codable, Equatable {
        case number(Int)
        case negated(Expression)
        case sum(left: Expression, right: Expression)
        case list([Expression], named: String?)
        case nothing
    }

    @propertyWrapper struct Clamped: Codable, Equatable {
        var wrappedValue: Int
        init(wrappedValue: Int) { self.wrappedValue = min(max(wrappedValue, -9), 9) }
    }

    /// A single value that is no scalar of its own.
    struct Celsius: Codable, Hashable {
        var degrees: Int
        init(degrees: Int) { self.degrees = degrees }
        init(from decoder: any Decoder) throws { degrees = try decoder.singleValueContainer().decode(Int.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(degrees)
        }
    }

    struct Tail: Codable, Equatable {
        var range = PartialRangeFrom(2)
        static func == (left: Tail, right: Tail) -> Bool { left.range.lowerBound == right.range.lowerBound }
    }

    /// A part of an array, which has no coding of its own.
    struct Slice: Codable, Equatable {
        var numbers: ArraySlice<Int> = []
        init() {}
        init(from decoder: any Decoder) throws { numbers = try [Int](from: decoder)[...] }
        func encode(to encoder: any Encoder) throws { try Array(numbers).encode(to: encoder) }
    }

    struct Numbers: Codable, Equatable {
        var a: Int8 = 0, b: Int16 = 0, c: Int32 = 0, d: Int64 = 0, e: Int128 = 0
        var f: UInt8 = 0, g: UInt16 = 0, h: UInt32 = 0, i: UInt64 = 0, j: UInt128 = 0
        var k: Int128?
        var l: UInt64?
        var all: [Int128] = []
    }

    var numbers = Numbers()
    var deep: Int???
    var deepList: [[Int?]?] = []
    var empty = Empty()
    var empties: [Empty] = []
    @Clamped var clamped = 0
    var celsius = Celsius(degrees: 0)
    var byCelsius: [Celsius: Pair<String, Int>] = [:]
    var byTag: [Tag: Empty] = [:]
    var byFlag: [Bool: [Int]] = [:]
    var byDate: [Date: Int] = [:]
    var byReal: [Double: Int] = [:]
    var byMaybe: [Int?: String] = [:]
    var byPair: [[Int]: Tag] = [:]
    var tableOfTables: [String: [Int: [String: Bool]]] = [:]
    var range = 0..<1
    var closed = 0.0...1.0
    var from = Tail()
    var pair = Pair<[Tag], Pair<Date, Empty>>(first: [], second: nil)
    var tree: [Branch] = []
    var expression = Expression.nothing
    var drawing = Drawing()
    var sparse = Sparse()
    var tuple = Mixed()
    var spelling = Spelling()
    var slice = Slice()
    var sets: Set<Set<Int>> = []
    var dates: [Date] = []
    var decimals: [Decimal] = []
    var blobs: [String: Data] = [:]
    var links: [URL] = []
    var characters = ""
}

/// Existentials behind an `encode(to:)` that says which type each is.
struct Drawing: Codable, Equatable {
    struct Dot: Codable, Equatable { var x: Int }
    struct Line: Codable, Equatable { var from: Dot, to: Dot }
    private enum Keys: String, CodingKey { case type, value }
    var figures: [any Codable & Equatable & Sendable] = []

    init() {}

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            let item = try list.nestedContainer(keyedBy: Keys.self)
            if try item.decode(String.self, forKey: .type) == "dot" {
                figures.append(try item.decode(Dot.self, forKey: .value))
            } else {
                figures.append(try item.decode(Line.self, forKey: .value))
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for figure in figures {
            var item = list.nestedContainer(keyedBy: Keys.self)
            try item.encode(figure is Dot ? "dot" : "line", forKey: .type)
            try item.encode(figure, forKey: .value)
        }
    }

    static func == (left: Drawing, right: Drawing) -> Bool { "\(left.figures)" == "\(right.figures)" }
}

/// Leaves out what is nil, and has a superclass's part without a class.
struct Sparse: Codable, Equatable {
    var name: String?
    var count: Int?
    var base: [Int] = []
    private enum Keys: String, CodingKey { case name, count, base }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        name = container.contains(.name) ? try container.decode(String.self, forKey: .name) : nil
        count = try container.decodeIfPresent(Int.self, forKey: .count)
        base = try [Int](from: container.superDecoder())
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        if let name { try container.encode(name, forKey: .name) }
        try base.encode(to: container.superEncoder())
        if let count { try container.encode(count, forKey: .count) }
    }
}

/// An array of values of several types, as a tuple is written.
struct Mixed: Codable, Equatable {
    var number = 0
    var text: String?
    var inner: [Bool] = []

    init() {}

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        number = try list.decode(Int.self)
        text = try list.decodeNil() ? nil : try list.decode(String.self)
        var nested = try list.nestedUnkeyedContainer()
        while !nested.isAtEnd { inner.append(try nested.decode(Bool.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(number)
        if let text { try list.encode(text) } else { try list.encodeNil() }
        var nested = list.nestedUnkeyedContainer()
        for flag in inner { try nested.encode(flag) }
    }
}

/// Keys that are known at run time only, and a part of a string.
struct Spelling: Codable, Equatable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var words: KeyValuePairs<String, Substring> = [:]

    init() {}

    init(_ words: [(String, Substring)]) {
        // Ascending, as a recorded object is read.
        let sorted = words.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
        self.words = Self.pairs(sorted)
    }

    private static func pairs(_ list: [(String, Substring)]) -> KeyValuePairs<String, Substring> {
        switch list.count {
        case 0: [:]
        case 1: [list[0].0: list[0].1]
        default: [list[0].0: list[0].1, list[1].0: list[1].1]
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        self.init(
            try container.allKeys.map { ($0.stringValue, try container.decode(String.self, forKey: $0)[...]) })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, word) in words { try container.encode(String(word), forKey: Name(stringValue: name)) }
    }

    static func == (left: Spelling, right: Spelling) -> Bool {
        left.words.elementsEqual(right.words) { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value }
    }
}

/// Changes shapes at random.
struct RandomShapes {
    var world: RandomWorld

    init(seed: UInt64, isTame: Bool = false) {
        world = RandomWorld(seed: seed, isTame: isTame)
    }

    private mutating func below(_ bound: Int) -> Int { world.below(bound) }

    /// One of the ends of a type's range, or something between.
    private mutating func whole<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
        switch below(4) {
        case 0: .min
        case 1: .max
        case 2: 1
        default: Number.random(in: .min ... .max, using: &world.generator)
        }
    }

    private mutating func date() -> Date {
        // To the microsecond, in this century: what an app's clock gives.
        Date(timeIntervalSince1970: 1_700_000_000 + Double(below(1_000_000_000)) / 1_000_000)
    }

    private mutating func characters() -> String {
        let awkward = [
            "\0", "\u{1}\u{1f}\u{7f}\u{80}", "\u{2028}\u{2029}", "\r\n", "👩‍👩‍👧‍👦🇪🇺", "e\u{301}", "\u{FEFF}bom", "\u{FFFD}",
            "\u{10FFFF}", "a\u{200B}b", "\\/\"", "~0~1/", "$redacted", "null", "NaN",
        ]
        return (0..<below(3)).map { _ in awkward[below(awkward.count)] }.joined()
    }

    private mutating func branch(_ depth: Int) -> Shapes.Branch {
        Shapes.Branch(
            id: world.uuid(), leaves: (0..<below(3)).map { _ in characters() },
            branches: depth == 0 ? [] : (0..<below(3)).map { _ in branch(depth - 1) })
    }

    private mutating func expression(_ depth: Int) -> Shapes.Expression {
        switch below(depth > 0 ? 5 : 2) {
        case 0: .nothing
        case 1: .number(whole(Int.self))
        case 2: .negated(expression(depth - 1))
        case 3: .sum(left: expression(depth - 1), right: expression(depth - 1))
        default: .list((0..<below(3)).map { _ in expression(depth - 1) }, named: below(2) == 0 ? nil : characters())
        }
    }

    /// One random change.
    mutating func change(_ shapes: inout Shapes) {
        switch below(5) {
        case 0: changeNumbers(&shapes)
        case 1: changeTables(&shapes)
        case 2: changeLists(&shapes)
        case 3: changeOwnForms(&shapes)
        default: changeNested(&shapes)
        }
    }

    private mutating func changeNumbers(_ shapes: inout Shapes) {
        switch below(8) {
        case 0: (shapes.numbers.a, shapes.numbers.f) = (whole(Int8.self), whole(UInt8.self))
        case 1: (shapes.numbers.b, shapes.numbers.g) = (whole(Int16.self), whole(UInt16.self))
        case 2: (shapes.numbers.c, shapes.numbers.h) = (whole(Int32.self), whole(UInt32.self))
        case 3: (shapes.numbers.d, shapes.numbers.i) = (whole(Int64.self), whole(UInt64.self))
        case 4: (shapes.numbers.e, shapes.numbers.j) = (whole(Int128.self), whole(UInt128.self))
        case 5: shapes.numbers.k = below(2) == 0 ? nil : whole(Int128.self)
        case 6: shapes.numbers.l = below(2) == 0 ? nil : whole(UInt64.self)
        default: shapes.numbers.all.append(whole(Int128.self))
        }
    }

    private mutating func changeTables(_ shapes: inout Shapes) {
        let real = world.real()
        switch below(9) {
        case 0: shapes.byCelsius[Shapes.Celsius(degrees: below(5))] = Shapes.Pair(first: characters(), second: below(3))
        case 1: shapes.byTag[Shapes.Tag(rawValue: whole(Int16.self))] = Shapes.Empty()
        case 2: shapes.byFlag[below(2) == 0, default: []].append(below(9))
        case 3: shapes.byDate[date()] = below(3)
        case 4: if !real.isNaN { shapes.byReal[real] = below(3) }
        case 5: shapes.byMaybe[below(3) == 0 ? nil : below(4)] = characters()
        case 6: shapes.byPair[[below(3), below(3)]] = Shapes.Tag(rawValue: 1)
        case 7: shapes.tableOfTables[characters(), default: [:]][below(3), default: [:]][characters()] = below(2) == 0
        default: shapes.blobs[characters()] = Data((0..<below(9)).map(UInt8.init))
        }
    }

    private mutating func changeLists(_ shapes: inout Shapes) {
        switch below(8) {
        case 0: world.edit(&shapes.tree) { RandomShapes.branch(&$0) }
        case 1: world.edit(&shapes.dates) { Date(timeIntervalSince1970: Double($0.below(1_000_000))) }
        case 2: world.edit(&shapes.decimals) { Decimal($0.below(1_000)) / 7 }
        case 3: world.edit(&shapes.deepList) { [nil, [], [nil, 1], [$0.below(3)]][$0.below(4)] }
        case 4: world.edit(&shapes.empties) { _ in Shapes.Empty() }
        case 5: shapes.slice.numbers = (0..<10).map { $0 * 2 }[below(3)..<(3 + below(7))]
        case 6: shapes.sets.formSymmetricDifference([[below(3)], [below(3), below(3)]])
        default: world.edit(&shapes.links) { URL(string: "https://a.b/\($0.below(9))?q=%20")! }
        }
    }

    private static func branch(_ world: inout RandomWorld) -> Shapes.Branch {
        Shapes.Branch(id: world.uuid(), leaves: [world.text()], branches: [])
    }

    private mutating func changeOwnForms(_ shapes: inout Shapes) {
        switch below(7) {
        case 0: shapes.celsius.degrees = below(5)
        case 1: shapes.clamped = below(30) - 15
        case 2: shapes.drawing.figures.insert(figure(), at: below(shapes.drawing.figures.count + 1))
        case 3: if !shapes.drawing.figures.isEmpty { shapes.drawing.figures.removeLast() }
        case 4: shapes.sparse.name = below(2) == 0 ? nil : characters()
        case 5: (shapes.sparse.count, shapes.sparse.base) = (below(2) == 0 ? nil : below(3), [below(3)])
        default:
            shapes.tuple.text = below(2) == 0 ? nil : characters()
            shapes.tuple.inner = (0..<below(4)).map { _ in below(2) == 0 }
            shapes.spelling = Spelling([("x/y", characters()[...]), ("~é", "ab".dropFirst())])
        }
    }

    private mutating func figure() -> any Codable & Equatable & Sendable {
        let dot = Drawing.Dot(x: below(4))
        return below(2) == 0 ? dot : Drawing.Line(from: dot, to: Drawing.Dot(x: below(4)))
    }

    private mutating func changeNested(_ shapes: inout Shapes) {
        switch below(7) {
        case 0: shapes.deep = [nil, 3, .some(nil), .some(.some(nil))][below(world.isTame ? 2 : 4)]
        case 1: shapes.range = below(3)..<(3 + below(3))
        case 2: shapes.closed = -Double(below(3))...Double(below(9)) / 7
        case 3: shapes.from.range = below(5)...
        case 4:
            shapes.pair = Shapes.Pair(
                first: [Shapes.Tag(rawValue: whole(Int16.self))],
                second: Shapes.Pair(first: date(), second: Shapes.Empty()))
        case 5: shapes.tree = [branch(3)]
        default:
            shapes.expression = expression(4)
            shapes.characters = characters()
        }
    }
}
