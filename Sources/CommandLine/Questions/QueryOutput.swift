package import Diagnostics
package import JSONCore
package import QueryLanguage

package struct QueryOutput {
    private enum Terminator: String {
        case line = "\n"
        case nothing = ""
        case null = "\0"
    }

    private let layout: JSONWriter.Style
    private let end: Terminator
    private let isRaw: Bool
    private let isSorted: Bool
    private let isASCII: Bool
    private let isSequence: Bool
    private let setsStatus: Bool
    private let context: CommandContext
    package var answer: ((JSONValue) -> [UInt8])?
    private var last: JSONValue?
    private var failures = 0

    /// Outputs as the options say; unless they say how values are laid out, a person gets a line for each part.
    package init(_ typed: TypedArguments, in context: CommandContext) throws(UsageError) {
        layout = try Self.layout(typed) ?? (context.format == .human ? .pretty(indent: 2) : .compact)
        end = typed.has(.rawOutput0) ? .null : typed.has(.joinOutput) ? .nothing : .line
        isRaw = typed.has(.rawOutput) || end != .line
        isSorted = typed.has(.sortKeys)
        isASCII = typed.has(.asciiOutput)
        isSequence = typed.has(.seq)
        setsStatus = typed.has(.exitStatus)
        self.context = context
    }

    private static let deepestIndent = 7

    private static func layout(_ typed: TypedArguments) throws(UsageError) -> JSONWriter.Style? {
        if typed.has(.tab) { return .tabbed }
        if typed.has(.compactOutput) { return .compact }
        guard let indent = try typed.number(.indent, atLeast: 0) else { return nil }
        guard indent <= deepestIndent else {
            throw .value(.indent, typed.value(.indent) ?? "", expected: "a whole number from 0 to \(deepestIndent)")
        }
        return indent == 0 ? .compact : .pretty(indent: indent)
    }

    /// Reports an error of the run; the outputs before it stand.
    package mutating func writeAll(
        of query: Query, _ input: JSONValue, _ variables: QueryContext = .start, failure: (QueryError) -> Diagnostic?
    ) throws(OutputError) {
        var values = self
        var refused: Refusal?
        do throws(QueryError) {
            try query.evaluate(input, context: variables) { value in
                do throws(Refusal) {
                    try values.write(value)
                    return true
                } catch {
                    refused = error
                    return false
                }
            }
        } catch {
            if let diagnostic = failure(error) { values.fail(diagnostic) }
        }
        self = values
        if let refused { try handle(refused) }
    }

    private mutating func fail(_ diagnostic: Diagnostic) {
        failures += 1
        context.messages.report(diagnostic)
    }

    private enum Refusal: Error {
        case output(OutputError)
        case value(Diagnostic)
    }

    package mutating func writeOne(_ value: JSONValue) throws(OutputError) {
        do throws(Refusal) {
            try write(value)
        } catch {
            try handle(error)
        }
    }

    private mutating func handle(_ refusal: Refusal) throws(OutputError) {
        switch refusal {
        case .output(let error): throw error
        case .value(let diagnostic): fail(diagnostic)
        }
    }

    private mutating func write(_ value: JSONValue) throws(Refusal) {
        last = value
        if let line = answer?(value) {
            do throws(OutputError) { return try context.output.writeLine(line) } catch { throw .output(error) }
        }
        let text = try text(of: value)
        do throws(OutputError) {
            try end == .line ? context.output.writeLine(text) : context.output.write(text + end.rawValue)
        } catch {
            throw .output(error)
        }
    }

    /// The status that the outputs come to; with `-e` as in jq.
    package var status: ExitStatus {
        if failures > 0 { return .inconclusive }
        guard setsStatus else { return .done }
        switch last {
        case nil: return .notThere
        case .null?, .bool(false)?: return .negative
        default: return .done
        }
    }

    private func text(of value: JSONValue) throws(Refusal) -> String {
        if isRaw, case .string(let text) = value, !isASCII {
            if end == .null, text.utf8.contains(0) {
                throw .value(
                    Diagnostic(code: "query.failed", "Cannot dump a string containing NUL with --raw-output0 option"))
            }
            return context.format == .human ? ControlCharacters.escapedJSON(text) : text
        }
        let value = isSorted ? value.ascending() : value
        let mark = isSequence ? "\u{1E}" : ""
        if context.format == .human || context.style.isColored {
            return mark + tree(of: value)
        }
        return mark + (isASCII ? Self.ascii(value.text(layout)) : value.text(layout))
    }

    private func tree(of value: JSONValue) -> String {
        let tree = ValueTree(layout: layout, isASCII: isASCII)
        guard let fit = context.output.fit else { return tree.text(value, context.style) }
        if FittedValue.byteCount(of: value) <= fit.room {
            let text = tree.text(value, context.style)
            if text.utf8.count <= fit.room { return text }
        }
        let text = FittedValue.tree(value, room: fit.room, hint: fit.hint)
        if text.contains(" more: " + fit.hint) { context.output.fit?.leavesMembersOut = true }
        return text
    }

    /// A JSON text in which only strings can hold what is not ASCII.
    package static func ascii(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var result = ""
        for unit in text.utf16 {
            guard let scalar = Unicode.Scalar(unit), scalar.isASCII else {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                continue
            }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
