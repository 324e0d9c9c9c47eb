import Diagnostics
import JSONCore
import QueryLanguage

/// One input of the fuzzer: a program, and after a line feed or a NUL the text that it is given.
///
/// Besides traps, hangs and growth, which the driver sees, an unsound footprint is a finding: what is pruned to it must
/// give the same outputs and the same error.
struct QueryCase {
    private let program: String
    private let input: JSONValue

    /// Few steps and small values: a query that is stopped has shown what it can.
    private static let limits = QueryLimits(steps: 20_000, size: 1 << 16)
    /// Outputs that are looked at.
    private static let outputLimit = 200

    private static let inputs: [JSONValue] = [
        .null, 3, "aé\u{1F600}b, 2015-03-05T23:51:47Z", [1, [2, .null], ["a": 0.5]],
        ["a": ["b": [1, 2], "c": "x"], "b": [["id": 1, "name": "n"], ["id": 2]], "é": true],
    ]

    init(_ bytes: [UInt8]) {
        let cut = bytes.lastIndex { $0 == 0 || $0 == 0x0A } ?? bytes.count
        program = String(decoding: bytes[..<cut], as: UTF8.self)
        let rest = [UInt8](bytes[min(bytes.count, cut + 1)...])
        let chosen = Self.inputs[bytes.count % Self.inputs.count]
        input = (try? JSONParser.parse(rest)) ?? chosen
    }

    func run() {
        let query: Query
        do {
            query = try Query(program)
        } catch {
            for diagnostic in error.diagnostics where diagnostic.message.isEmpty {
                fatalError("a problem without words")
            }
            return
        }
        guard let whole = observed(query, input), !query.footprint.usesOld else { return }
        let pruned = input.pruned(to: query.footprint.paths)
        guard let other = observed(query, pruned) else { return }
        require(whole == other, "the footprint leaves out what is read: \(query.footprint.paths)")
    }

    /// Everything that can be seen of an evaluation; nil where a limit ended it.
    private func observed(_ query: Query, _ input: JSONValue) -> [String]? {
        var seen: [String] = []
        do {
            try query.evaluate(input, context: QueryContext(limits: Self.limits)) { value in
                seen.append(value.text())
                return seen.count < Self.outputLimit
            }
        } catch .limit {
            return nil
        } catch {
            seen.append(error.message)
        }
        return seen
    }
}
