public import JSONCore
internal import Platform

/// What programs may use beside the language itself: values by name, functions, and a place for what `debug` prints.
///
/// The values are constants of a program: what it reads of the state is worked out with them.
public struct QueryEnvironment: Sendable {
    /// Takes what `debug` and `stderr` print.
    public typealias Messages = @Sendable (String) -> Void

    private(set) var values: [(name: String, value: JSONValue)] = []
    /// The files of functions that were added, in order.
    public private(set) var definitions: [Definitions]
    /// Takes what `debug` and `stderr` print; unless given, it goes to standard error as it is.
    public var messages: Messages = { FileDescriptor.writeToStandardError($0) }

    /// Nothing but the language, and the functions of some files.
    public init(definitions: [Definitions] = []) { self.definitions = definitions }

    /// Nothing but the language.
    public static let empty = QueryEnvironment()

    /// Gives `$name` a value; a later one of the same name hides it.
    public mutating func name(_ name: String, _ value: JSONValue) { values.append((name, value)) }

    /// Adds the functions of a file; later ones hide earlier ones of the same name.
    public mutating func add(_ definitions: Definitions) { self.definitions.append(definitions) }

    var functions: [FunctionSyntax] { definitions.flatMap(\.functions) }
}
