#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A system call that failed.
package struct SystemFailure: Error, Sendable, Equatable {
    /// The call's name.
    package let operation: String
    /// What it left in `errno`.
    package let code: Int32

    package init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The call that failed just now: its reason is still in `errno`.
    init(_ operation: String) { self.init(operation, code: errno) }

    package var text: String { SystemFailure.text(of: code) }

    /// The system's own words for an error number, such as `no such file or directory`.
    package static func text(of code: Int32) -> String {
        guard let words = unsafe strerror(code) else { return "error \(code)" }
        let text = unsafe String(cString: words)
        // The system begins with a capital letter; these words follow others.
        guard let first = text.first, first.isUppercase, text.dropFirst().first?.isUppercase != true else {
            return text
        }
        return first.lowercased() + text.dropFirst()
    }
}
