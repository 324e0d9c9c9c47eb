import Foundation

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

    /// A closure that its coding leaves out.
    struct Quiet: Codable, Equatable {
        var count = 0
        var onChange: @Sendable () -> Void = {}
        enum CodingKeys: CodingKey { case count }
        static func == (left: Quiet, right: Quiet) -> Bool { left.count == right.count }
    }

    /// As deep as it is long.
    indirect enum Chain: Codable, Equatable {
        case end
        case link(Int, Chain)
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
    var tuple = MixedArray()
    var spelling = Spelling()
    var slice = Slice()
    var sets: Set<Set<Int>> = []
    var dates: [Date] = []
    var decimals: [Decimal] = []
    var blobs: [String: Data] = [:]
    var links: [URL] = []
    var characters = ""
    var quiet = Quiet()
    var chain = Chain.end
    var bulk = Data()
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
struct MixedArray: Codable, Equatable {
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
