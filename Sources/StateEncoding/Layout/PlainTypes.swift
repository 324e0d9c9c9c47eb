#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decides which types are *plain*: equal bytes of two values mean equal values, for as long as one of them is kept.
///
/// A copy-on-write buffer cannot change while a copy of its owner is held, so a struct of numbers, strings and arrays is
/// plain. What holds a class, a weak or unowned reference, a pointer, a function or an existential is not: the same
/// reference may lead to another content. A type that cannot be decided is not plain, and is encoded each time.
package enum PlainTypes {
    /// - Parameter readsLayouts: without it nothing is known of a type of the app's.
    /// - Complexity: the size of the type's definition, once in a process.
    package static func contains(_ type: Any.Type, readsLayouts: Bool = LayoutReading.isOnByDefault) -> Bool {
        decisions.value(of: type, readsLayouts) {
            var open: Set<ObjectIdentifier> = []
            return decide(type, readsLayouts, open: &open)
        }
    }

    private static let decisions = TypeCache<Bool>()

    static func isKnown(_ type: Any.Type) -> Bool {
        known.contains(ObjectIdentifier(type))
    }

    /// A type that contains itself (an indirect enum, an array of its own kind) adds nothing to the question, so the
    /// types being decided count as plain.
    private static func decide(_ type: Any.Type, _ readsLayouts: Bool, open: inout Set<ObjectIdentifier>) -> Bool {
        let identifier = ObjectIdentifier(type)
        if known.contains(identifier) { return true }
        guard open.insert(identifier).inserted else { return true }
        if let container = type as? any BufferedByElements.Type {
            for element in container.elementTypes where !decide(element, readsLayouts, open: &open) { return false }
            return true
        }
        if let contents = contentsOfCollection(type) {
            for content in contents where !decide(content, readsLayouts, open: &open) { return false }
            return true
        }
        guard readsLayouts, let stored = RuntimeFields.stored(in: type) else { return false }
        for field in stored where !decide(field.type, readsLayouts, open: &open) { return false }
        return true
    }

    /// The content types of a collection of the app's that declares itself copied before it changes.
    private static func contentsOfCollection(_ type: Any.Type) -> [Any.Type]? {
        if let table = type as? any RecordedTable.Type { return table.contentTypes }
        if let list = type as? any RecordedList.Type { return list.contentTypes }
        return nil
    }

    /// Standard types whose storage is opaque, or a class that never changes while it is shared.
    private static let known: Set<ObjectIdentifier> = {
        let types: [Any.Type] = [
            Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, Int128.self, UInt128.self, Float.self, Double.self, String.self, Substring.self,
            Character.self, Unicode.Scalar.self, StaticString.self, Duration.self, Date.self, Data.self, URL.self,
            UUID.self, Decimal.self, Void.self,
        ]
        return Set(types.map(ObjectIdentifier.init))
    }()
}

/// A collection whose storage is shared until it is changed, so that it is as plain as its elements.
protocol BufferedByElements {
    static var elementTypes: [Any.Type] { get }
}

extension Array: BufferedByElements {
    static var elementTypes: [Any.Type] { [Element.self] }
}

extension ContiguousArray: BufferedByElements {
    static var elementTypes: [Any.Type] { [Element.self] }
}

extension ArraySlice: BufferedByElements {
    static var elementTypes: [Any.Type] { [Element.self] }
}

extension Set: BufferedByElements {
    static var elementTypes: [Any.Type] { [Element.self] }
}

extension Dictionary: BufferedByElements {
    static var elementTypes: [Any.Type] { [Key.self, Value.self] }
}
