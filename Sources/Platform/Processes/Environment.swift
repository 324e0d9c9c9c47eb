#if canImport(Glibc)
// Unsafe: its list of variables is one of C, which this program does not change.
@unsafe @preconcurrency internal import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency internal import Musl
#else
internal import Darwin
#endif

/// The environment variables, as a value: a test brings its own.
package struct Environment: Sendable, Equatable {
    private var variables: [String: String]

    package init(_ variables: [String: String] = [:]) { self.variables = variables }

    package subscript(name: String) -> String? {
        get { variables[name] }
        set { variables[name] = newValue }
    }

    /// Every variable as `NAME=value`, as a new process takes it.
    package var assignments: [String] { variables.map { $0.key + "=" + $0.value }.sorted() }

    package static func ofProcess() -> Environment {
        var variables: [String: String] = [:]
        #if canImport(Darwin)
        var next = unsafe _NSGetEnviron().pointee
        #else
        var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = unsafe environ
        #endif
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
            }
            unsafe next += 1
        }
        return Environment(variables)
    }

    /// One variable of this process; nil where it is not set, or empty.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}
