internal import JSONCore

/// The native part of `match`, `test`, `capture`, `split/2`.
enum RegexFunctions {
    static let functions: [NativeFunction] = []
}
