internal import Platform

/// The case that a value of an enum is in.
package enum EnumCases {
    /// Whether two values of one enum are in the same case; true where the runtime keeps no names of cases.
    static func same<Value>(_ a: Value, _ b: Value) -> Bool {
        guard let left = caseName(a), let right = caseName(b) else { return true }
        return left == right || RawMemory.sameText(left, right)
    }

    /// The name of the case that a value is in; nil for what is no enum, or where the runtime keeps no names of cases.
    package static func name<Value>(of value: Value) -> String? { caseName(value).map { String(cString: $0) } }
}

/// The runtime's name of an enum value's case, which lives as long as the program.
@_silgen_name("swift_EnumCaseName")
private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
