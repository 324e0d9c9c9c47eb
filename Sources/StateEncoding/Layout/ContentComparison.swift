internal import JSONCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Compares two values by all that they hold, and not by an `==` of the app's, which may leave properties out.
///
/// Equal bytes are equal values. Where they differ, texts and collections in buffers of their own may have equal content:
/// so structs, tuples and enums are compared part by part, down to numbers, whose bytes decide, texts, and the types of the
/// standard library and of Foundation, whose `==` leaves nothing out. Another reference to a class may hold anything.
package final class ContentComparison: @unchecked Sendable {
    // Unchecked: constants; the closures hold types and nothing else.
    package enum Verdict: Sendable {
        case same
        case different
        /// A part that cannot be compared has other bytes.
        case unknown
    }

    private typealias Compare = (Address, Address) -> Verdict

    private let layout: ByteLayout
    /// Compares two values whose bytes differ.
    private let parts: Compare

    private init<Value>(_ type: Value.Type) {
        layout = ByteLayout.of(type)
        parts = ContentComparison.parts(of: type)
    }

    private static let known = TypeCache<ContentComparison>()

    /// The comparison of a type, found once in a process.
    package static func of<Value>(_ type: Value.Type) -> ContentComparison {
        known.value(of: type, LayoutReading.isOnByDefault) { ContentComparison(type) }
    }

    /// Whether the values at two places are known to hold the same.
    package func same(_ a: Address, _ b: Address) -> Bool { verdict(a, b) == .same }

    package func verdict(_ a: Address, _ b: Address) -> Verdict {
        layout.same(a, b) ? .same : parts(a, b)
    }

    package static func same<Value>(_ a: Value, _ b: Value) -> Bool { verdict(a, b) == .same }

    fileprivate static func verdict<Value>(_ a: Value, _ b: Value) -> Verdict {
        let comparison = of(Value.self)
        return withAddress(of: a) { left in withAddress(of: b) { comparison.verdict(left, $0) } }
    }

    // MARK: How a type is compared

    private static func parts<Value>(of type: Value.Type) -> Compare {
        func values(_ compare: @escaping (Value, Value) -> Verdict) -> Compare {
            { compare($0.value(as: Value.self), $1.value(as: Value.self)) }
        }
        func texts<Text: StringProtocol>(_ type: Text.Type) -> Compare {
            values { UTF8Order.equal(String($0 as! Text), String($1 as! Text)) ? .same : .different }
        }
        // Their `==` takes texts for equal that are written as other bytes, and 0 for -0.
        if let text = type as? any StringProtocol.Type { return texts(text) }
        if type == Character.self {
            return values { UTF8Order.equal(String($0 as! Character), String($1 as! Character)) ? .same : .different }
        }
        if type is any BinaryFloatingPoint.Type || type == Date.self { return { _, _ in .different } }
        if let container = type as? any ContentCompared.Type { return container.contentParts }
        if isOfLibrary(type), let equatable = type as? any Equatable.Type { return equality(of: equatable) }
        switch RuntimeFields.kind(of: type) {
        case .structure, .tuple: return fields(of: type)
        case .enumeration: return values(cases)
        // What an existential holds has a type of its own.
        case .other: return values { Swift.type(of: $0 as Any) == Value.self ? .unknown : opened($0, $1) }
        }
    }

    /// Whether a type is one of the standard library or of Foundation, and not made of types of the app's.
    private static func isOfLibrary(_ type: Any.Type) -> Bool {
        let name = _typeName(type, qualified: true)
        let module = name.prefix { $0 != "." }
        return module == "Swift" && !name.contains("<") || module == "Foundation" || module == "FoundationEssentials"
    }

    private static func equality<Value: Equatable>(of type: Value.Type) -> Compare {
        { left, right in
            left.value(as: Value.self) == right.value(as: Value.self) ? .same : .different
        }
    }

    private static func fields(of type: Any.Type) -> Compare {
        func comparison<Field>(_ field: Field.Type) -> () -> ContentComparison {
            // A type may contain itself, in an array: found when it is met.
            { of(Field.self) }
        }
        guard !RuntimeFields.isImported(type), let stored = RuntimeFields.stored(in: type) else {
            return { _, _ in .unknown }
        }
        // A weak reference is no pointer that could be read.
        let fields = stored.map { field in (field.offset, field.isStrong ? comparison(field.type) : nil) }
        return { left, right in
            var verdict = Verdict.same
            for (offset, comparison) in fields {
                switch comparison?().verdict(left + offset, right + offset) ?? .unknown {
                case .same: break
                case .different: return .different
                case .unknown: verdict = .unknown
                }
            }
            return verdict
        }
    }

    /// Compares two values of an enum whose bytes differ, by their cases and what those hold.
    private static func cases<Value>(_ a: Value, _ b: Value) -> Verdict {
        if a is any CustomReflectable { return .unknown }
        guard EnumCases.name(of: a) != nil else { return .unknown }
        guard EnumCases.same(a, b) else { return .different }
        let (left, right) = (Mirror(reflecting: a).children.first, Mirror(reflecting: b).children.first)
        guard let left, let right else { return .same }
        return opened(left.value, right.value)
    }

    private static func opened(_ a: Any, _ b: Any) -> Verdict {
        func compare<Value>(_ a: Value) -> Verdict { (b as? Value).map { verdict(a, $0) } ?? .different }
        return Swift.type(of: a) == Swift.type(of: b) ? _openExistential(a, do: compare) : .different
    }
}

package protocol ContentCompared {
    /// Compares the elements of two values whose bytes differ.
    static func contentVerdict(_ a: Self, _ b: Self) -> ContentComparison.Verdict
}

extension ContentCompared {
    fileprivate static var contentParts: (Address, Address) -> ContentComparison.Verdict {
        { contentVerdict($0.value(as: Self.self), $1.value(as: Self.self)) }
    }

    fileprivate static func verdict<Element>(
        _ pairs: some Sequence<(Element, Element)>
    ) -> ContentComparison.Verdict {
        let comparison = ContentComparison.of(Element.self)
        var verdict = ContentComparison.Verdict.same
        for (a, b) in pairs {
            let pair = withAddress(of: a) { left in withAddress(of: b) { comparison.verdict(left, $0) } }
            if pair == .different { return pair }
            if pair == .unknown { verdict = pair }
        }
        return verdict
    }
}

extension Optional: ContentCompared {
    package static func contentVerdict(_ a: Wrapped?, _ b: Wrapped?) -> ContentComparison.Verdict {
        switch (a, b) {
        case (let a?, let b?): ContentComparison.verdict(a, b)
        case (nil, nil): .same
        default: .different
        }
    }
}

extension Array: ContentCompared {
    package static func contentVerdict(_ a: [Element], _ b: [Element]) -> ContentComparison.Verdict {
        a.count == b.count ? verdict(zip(a, b)) : .different
    }
}

extension ContiguousArray: ContentCompared {
    package static func contentVerdict(_ a: Self, _ b: Self) -> ContentComparison.Verdict {
        a.count == b.count ? verdict(zip(a, b)) : .different
    }
}

extension ArraySlice: ContentCompared {
    package static func contentVerdict(_ a: Self, _ b: Self) -> ContentComparison.Verdict {
        a.count == b.count ? verdict(zip(a, b)) : .different
    }
}

extension Set: ContentCompared {
    package static func contentVerdict(_ a: Self, _ b: Self) -> ContentComparison.Verdict {
        guard a.count == b.count else { return .different }
        let pairs = a.compactMap { element in b.firstIndex(of: element).map { (element, b[$0]) } }
        return pairs.count == a.count ? verdict(pairs) : .different
    }
}

extension Dictionary: ContentCompared {
    package static func contentVerdict(_ a: Self, _ b: Self) -> ContentComparison.Verdict {
        guard a.count == b.count else { return .different }
        let pairs = a.compactMap { key, value in b.index(forKey: key).map { ((key, value), (b[$0].key, b[$0].value)) } }
        return pairs.count == a.count ? verdict(pairs) : .different
    }
}
