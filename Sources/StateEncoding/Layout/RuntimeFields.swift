internal import Platform

/// What a struct, tuple or enum stores, read from the metadata that the runtime keeps of every type.
///
/// The standard library's own reflection (`Mirror`, `_forEachField`) needs a value to look into an enum, or does not
/// look into one at all, and a decision about a type must hold for each of its cases. So this follows the layout that
/// `docs/ABI/TypeMetadata.rst` of the Swift project describes, which is fixed on Apple platforms and unchanged on the
/// others since Swift 5.0. It returns nil for whatever it does not know in full, and an unknown type is encoded each
/// time; `isTrusted` compares it once with types of this file, so that another layout turns it off and does not mislead
/// it.
///
/// Run once for each type, never for a value.
enum RuntimeFields {
    enum Kind {
        case structure
        case enumeration
        case tuple
        case other
    }

    static func kind(of type: Any.Type) -> Kind {
        switch record(of: type).load(as: Int.self) {
        case 0x200: .structure
        case 0x201, 0x202: .enumeration
        case 0x301: .tuple
        default: .other
        }
    }

    struct Field {
        let type: Any.Type
        /// Where it begins within the value; 0 for a payload.
        let offset: Int
        /// Whether it is no weak or unowned reference, whose type does not say so.
        var isStrong = true
    }

    /// Whether a type is one of C, whose bit-fields and unions the runtime does not list.
    static func isImported(_ type: Any.Type) -> Bool { _typeName(type, qualified: true).hasPrefix("__C.") }

    /// What a struct, a tuple, or the cases of an enum store; nil if that cannot be found.
    static func stored(in type: Any.Type) -> [Field]? {
        #if _ptrauth(_arm64e)
        return nil
        #else
        guard isTrusted else { return nil }
        return read(type)
        #endif
    }

    /// Each pointer is checked against what is mapped before it is followed: under another layout it may be any number.
    private static let isTrusted: Bool = {
        let aligned = MemoryLayout<String>.alignment
        guard isReadable(Canary<Int>.self), isReadable(CanaryCase<String>.self), kind(of: CanaryTuple.self) == .tuple,
            let fields = read(Canary<Int>.self), let cases = read(CanaryCase<String>.self),
            let elements = read(CanaryTuple.self)
        else { return false }
        return elements.map { ObjectIdentifier($0.type) }
            == [ObjectIdentifier(UInt8.self), ObjectIdentifier(String.self), ObjectIdentifier(Bool.self)]
            && elements.map(\.offset) == [0, aligned, aligned + MemoryLayout<String>.size]
            && fields.map { ObjectIdentifier($0.type) } == [ObjectIdentifier(Int.self), ObjectIdentifier([Bool].self)]
            && fields.map(\.offset) == [0, MemoryLayout<Canary<Int>>.offset(of: \.second)]
            && cases.map { ObjectIdentifier($0.type) } == [ObjectIdentifier(String.self), ObjectIdentifier(UInt8.self)]
    }()

    private typealias CanaryTuple = (UInt8, String, Bool)

    private static func isReadable(_ type: Any.Type) -> Bool {
        let record = record(of: type)
        let word = MemoryLayout<Int>.size
        guard kind(of: type) != .other, kind(of: type) != .tuple, record.isReadable(count: 4 * word)
        else { return false }
        let descriptor = record.load(word, as: UInt.self)
        guard descriptor % 4 == 0, let start = Address(bitPattern: descriptor), start.isReadable(count: 28),
            let fields = relative(start + 16),
            fields.isAligned, fields.isReadable(count: 16 + 3 * 12)
        else { return false }
        let count = Int(fields.load(12, as: UInt32.self))
        guard (1...3).contains(count), fields.load(10, as: UInt16.self) == 12 else { return false }
        return (0..<count).allSatisfy { index in
            relative(fields + 16 + index * 12 + 4).map { $0.isReadable(count: 1) } ?? true
        }
    }

    private struct Canary<Value> {
        var first: Value
        var second: [Bool]
    }

    private enum CanaryCase<Value> {
        case some(Value)
        case none
        case other(UInt8)
    }

    /// A metatype is a pointer to the record of its type, which is never freed.
    private static func record(of type: Any.Type) -> Address {
        unsafe Address(unsafeBitCast(type, to: UnsafeRawPointer.self))
    }

    private static func read(_ type: Any.Type) -> [Field]? {
        switch kind(of: type) {
        case .structure, .enumeration: readNominal(record(of: type))
        case .tuple: readTuple(record(of: type))
        case .other: nil
        }
    }

    /// A tuple's record: kind, count, labels, then (type, offset) for each element.
    ///
    /// An offset is a word on Apple platforms and 32 bits elsewhere, where the rest of the word is undefined; all of
    /// them have the lower half first.
    private static func readTuple(_ record: Address) -> [Field]? {
        let word = MemoryLayout<Int>.size
        let count = record.load(word, as: Int.self)
        guard count >= 0, count < 1_000 else { return nil }
        return (0..<count).map { index in
            Field(
                type: record.load(word * (3 + 2 * index), as: Any.Type.self),
                offset: Int(record.load(word * (4 + 2 * index), as: UInt32.self)))
        }
    }

    /// A struct's or enum's record: kind, descriptor, generic arguments.
    ///
    /// The descriptor's fifth word (32 bits, relative)
    /// leads to the field descriptor: two relative names, kind and record size (16 bits each), count, then the records of
    /// flags, relative type name (0: a case with no payload) and relative field name.
    private static func readNominal(_ record: Address) -> [Field]? {
        let word = MemoryLayout<Int>.size
        guard let descriptor = Address(bitPattern: record.load(word)), let fields = relative(descriptor + 16) else {
            return nil
        }
        let recordSize = Int(fields.load(10, as: UInt16.self))
        let count = Int(fields.load(12, as: UInt32.self))
        guard recordSize >= 12, count < 10_000 else { return nil }
        let isEnumeration = kindIsEnumeration(record)
        var stored: [Field] = []
        for index in 0..<count {
            let field = fields + 16 + index * recordSize
            guard let name = relative(field + 4) else {
                if isEnumeration { continue }
                return nil
            }
            let length = mangledLength(name)
            // The three are parts of the type's own record, and the name has so many bytes.
            guard
                let type = unsafe _getTypeByMangledNameInContext(
                    name.pointer.assumingMemoryBound(to: UInt8.self), UInt(length),
                    genericContext: descriptor.pointer, genericArguments: (record + 2 * word).pointer)
            else { return nil }
            let offset = isEnumeration ? 0 : fieldOffset(index, record, descriptor)
            stored.append(Field(type: type, offset: offset, isStrong: !isWeakOrUnowned(name, length)))
        }
        return stored
    }

    /// The seventh word of a struct's descriptor is the index of the word in the record where its field offsets begin.
    private static func fieldOffset(_ index: Int, _ record: Address, _ descriptor: Address) -> Int {
        let words = Int(descriptor.load(24, as: UInt32.self))
        return Int(record.load(words * MemoryLayout<Int>.size + index * 4, as: UInt32.self))
    }

    private static func kindIsEnumeration(_ record: Address) -> Bool {
        let kind = record.load(as: Int.self)
        return kind == 0x201 || kind == 0x202
    }

    /// What a 32-bit offset at `place`, relative to itself, points to; nil for 0.
    private static func relative(_ place: Address) -> Address? {
        let offset = place.load(as: Int32.self)
        return offset == 0 ? nil : place + Int(offset)
    }

    /// Whether a mangled name ends as that of a weak, an unowned or an unmanaged reference: `Xw`, `Xo`, `Xu`.
    private static func isWeakOrUnowned(_ name: Address, _ length: Int) -> Bool {
        length >= 2 && name.load(length - 2) == UInt8(ascii: "X") && "wou".utf8.contains(name.load(length - 1))
    }

    /// The length of a mangled name, in which a byte 1…0x17 is followed by a 32-bit reference and 0x18…0x1F by a pointer,
    /// either of which may hold zeros.
    private static func mangledLength(_ name: Address) -> Int {
        var length = 0
        while true {
            switch name.load(length, as: UInt8.self) {
            case 0: return length
            case 0x01...0x17: length += 5
            case 0x18...0x1F: length += 1 + MemoryLayout<Int>.size
            default: length += 1
            }
        }
    }
}

package enum EnumCases {
    /// Whether two values of one enum are in the same case; true if the runtime keeps no names of cases.
    static func same<Value>(_ a: Value, _ b: Value) -> Bool {
        guard let left = unsafe caseName(a), let right = unsafe caseName(b) else { return true }
        return unsafe left == right || RawMemory.sameText(left, right)
    }

    /// The name of the case that a value is in; nil if it is not an enum, or the runtime keeps no names of cases.
    package static func name<Value>(of value: Value) -> String? {
        unsafe caseName(value).map { unsafe String(cString: $0) }
    }

    /// The case that a value is in and, where it carries an enum, the case of that, and so on: `login`, `submit`.
    static func path(of value: Any) -> [String] {
        func name<Value>(_ value: Value) -> String? { EnumCases.name(of: value) }
        var (names, next): ([String], Any?) = ([], value)
        while let value = next, names.count < 8, let name = _openExistential(value, do: name) {
            names.append(name)
            next = Mirror(reflecting: value).children.first?.value
        }
        return names
    }
}

/// The runtime's name of an enum value's case, which lives as long as the program.
@_silgen_name("swift_EnumCaseName")
private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
