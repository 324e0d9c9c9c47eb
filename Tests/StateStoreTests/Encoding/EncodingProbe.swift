import JSONCore
import Testing

@testable import StateEncoding

/// An encoder under test: after each step its patch is applied forward and backward and its tree is held against an
/// encoding from scratch.
///
/// Beside it goes one that reads no layouts, of which the same is asked.
final class EncodingProbe<State: Encodable> {
    private let encoder: StateEncoder<State>
    private let plainEncoder: StateEncoder<State>
    private let options: EncodingOptions
    private(set) var state: JSONValue
    /// The last patch, as text.
    private(set) var patchText = "[]"

    init(_ initial: State, options: EncodingOptions = EncodingOptions()) throws {
        self.options = options
        encoder = try StateEncoder(initial, options: options)
        var plain = options
        plain.readsLayouts = false
        plainEncoder = try StateEncoder(initial, options: plain)
        var bytes: [UInt8] = []
        try encoder.appendState(to: &bytes)
        state = try JSONParser.parse(bytes)
        #expect(try JSONParser.parse(encodedText(initial, options)) == state)
    }

    /// Takes a step, checks all that must hold of it, and returns the patch.
    @discardableResult
    func advance(to new: State, _ hint: @autoclosure () -> Comment? = nil) throws -> String {
        var bytes: [UInt8] = []
        try encoder.advance(to: new, appendingPatchTo: &bytes)
        patchText = String(decoding: bytes, as: UTF8.self)
        let patch = try JSONPatch(json: JSONParser.parse(bytes))
        var after = state
        checkForm(patch, hint())
        try patch.apply(to: &after)
        let expected = try JSONParser.parse(encodedText(new, options))
        #expect(after == expected, hint())
        #expect(try stateText() == canonical(expected), hint())
        #expect(after != state || patch.isEmpty, hint())
        var back = after
        try patch.inverted().apply(to: &back)
        #expect(back == state, hint())
        try advancePlainly(to: new, after, hint())
        state = after
        return patchText
    }

    /// Takes the step without the layouts: another patch perhaps, which leads to the same state and back.
    private func advancePlainly(to new: State, _ after: JSONValue, _ hint: Comment?) throws {
        var bytes: [UInt8] = []
        try plainEncoder.advance(to: new, appendingPatchTo: &bytes)
        let patch = try JSONPatch(json: JSONParser.parse(bytes))
        checkForm(patch, hint)
        var value = state
        try patch.apply(to: &value)
        #expect(value == after, hint)
        #expect(after != state || patch.isEmpty, hint)
        try patch.inverted().apply(to: &value)
        #expect(value == state, hint)
        bytes = []
        try plainEncoder.appendState(to: &bytes)
        #expect(canonical(try JSONParser.parse(bytes)) == canonical(after), hint)
    }

    /// The whole state as the encoder has it, members in ascending order.
    func stateText() throws -> String {
        var bytes: [UInt8] = []
        try encoder.appendState(to: &bytes)
        return canonical(try JSONParser.parse(bytes))
    }

    private func canonical(_ value: JSONValue) -> String { value.text(.canonical) }

    /// `add` on an object only for a member that is not there, never at `-`, no place written twice.
    private func checkForm(_ patch: JSONPatch, _ hint: Comment?) {
        var current = state
        var touched: Set<String> = []
        var shifts = false
        for operation in patch.operations {
            let path = operation.path
            #expect(path.segments.last != "-", hint)
            var above = path
            if above.segments.popLast() != nil, let parent = value(at: above, in: current) {
                switch (parent, operation) {
                case (.object(let object), .add): #expect(object[path.segments.last ?? ""] == nil, hint)
                case (.array, .add), (.array, .remove), (.array, .move): shifts = true
                default: break
                }
            }
            if !shifts { #expect(touched.insert(path.text).inserted, hint) }
            guard (try? JSONPatch([operation]).apply(to: &current)) != nil else {
                Issue.record("an operation does not apply: \(operation)")
                return
            }
        }
    }

    private func value(at pointer: JSONPointer, in root: JSONValue) -> JSONValue? {
        pointer.segments.reduce(root as JSONValue?) { value, segment in
            switch value {
            case .object(let object): return object[segment]
            case .array(let array):
                guard let index = JSONPointer.arrayIndex(segment), index < array.count else { return nil }
                return array[index]
            default: return nil
            }
        }
    }
}

/// A value's JSON text, encoded from scratch.
func encodedText(_ value: some Encodable, _ options: EncodingOptions = EncodingOptions()) throws -> String {
    var bytes: [UInt8] = []
    try ValueEncoder.append(value, to: &bytes, options: options)
    return String(decoding: bytes, as: UTF8.self)
}
