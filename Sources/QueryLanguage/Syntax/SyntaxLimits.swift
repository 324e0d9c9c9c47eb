/// What a program's text may be at most.
///
/// Each has its own message, so that nobody meets a crash instead.
package enum SyntaxLimits {
    /// The length of a program in UTF-8 bytes.
    package static let length = 1 << 20
    /// How deep brackets, operators and definitions may be nested.
    package static let depth = 1_000
    /// How many problems are told at once.
    package static let problems = 20
    /// The digits of a number literal.
    package static let numberLength = 1_000
}
