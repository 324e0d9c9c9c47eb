import StateStore
import TestSupport

/// How the identities of a test are hashed, bit by bit.
protocol HashStyle: Sendable {
    static func bits(of number: Int) -> UInt
}

/// Each number its own bits: neighbours stand side by side in the root.
enum Sequential: HashStyle { static func bits(of number: Int) -> UInt { UInt(bitPattern: number) } }
/// One hash for all.
enum Constant: HashStyle { static func bits(of number: Int) -> UInt { 5 } }
/// Three hashes for all.
enum Crowded: HashStyle { static func bits(of number: Int) -> UInt { UInt(bitPattern: number % 3) } }
/// Hashes that part only in their last bits, so that a pair has a long way above it.
enum Deep: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number % 4) &<< UInt(UInt.bitWidth - 2) | 7 }
}
/// Pairs that part in the third level.
enum Paired: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number / 2) | UInt(bitPattern: number % 2) << 10 }
}
/// Well mixed, in two ways.
enum Mixed: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number) &* 0x9E37_79B9 ^ 0xABCD }
}
enum OtherMixed: HashStyle {
    static func bits(of number: Int) -> UInt { UInt(bitPattern: number + 77) &* 0x85EB_CA6B ^ 0x1234 }
}

/// A number with chosen bits for a hash.
struct StyledID<Style: HashStyle>: Hashable, Codable, Sendable, RawRepresentable, Comparable {
    var rawValue: Int
    init(rawValue: Int) { self.rawValue = rawValue }
    init(_ rawValue: Int) { self.rawValue = rawValue }
    static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    func hash(into hasher: inout Hasher) { hasher.combine(Style.bits(of: rawValue)) }
    func _rawHashValue(seed: Int) -> Int { Int(bitPattern: Style.bits(of: rawValue)) }
}

/// An entity of these tests; its text is on the heap, so that a wrong copy or a lost one is noticed.
struct Thing<Style: HashStyle>: Identifiable, Codable, Equatable, Sendable {
    var id: StyledID<Style>
    var text: String
    var flag = false

    init(_ number: Int, _ version: Int = 0) {
        id = StyledID(number)
        text = "the text of thing \(number) in version \(version)"
    }
}

typealias Things<Style: HashStyle> = EntityTable<Thing<Style>>

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &self) }
}
