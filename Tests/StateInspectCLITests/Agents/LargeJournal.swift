import Foundation
import JSONCore
import TestSupport

/// Journals of which each has too much of one thing for a reader with little room.
enum LargeJournal: String, CaseIterable {
    case manyCommits, hugeValues, manyStores, longNames, deepState

    /// How many commits there are where there are many: as many lines as fit into an answer, many times over.
    static let many = 1_500

    /// The text of the journal.
    var text: String {
        let records =
            switch self {
            case .manyCommits: Self.commits(Self.many) { ("cart", "Shop/Cart.swift", "add(_:)", "/total", "\($0)") }
            case .hugeValues: Self.valueRecords
            case .manyStores: Self.storeRecords
            case .longNames: Self.nameRecords
            case .deepState: Self.deepRecords
            }
        let header =
            #"{"seq":0,"kind":"journal","version":1,"id":"run-1","time":"2026-11-21T12:00:00.000000Z","app":"shop"}"#
        return ([header] + records).map { $0 + "\n" }.joined()
    }

    /// A path in it that has a value.
    var path: String {
        switch self {
        case .manyCommits, .hugeValues, .deepState: "/cart/total"
        case .manyStores: "/store7/total"
        case .longNames: "/" + Self.long("store", 300) + "/" + Self.long("member", 5_000)
        }
    }

    private typealias Written = (store: String, file: String, function: String, path: String, value: String)

    private static func long(_ word: String, _ length: Int) -> String {
        String(repeating: word, count: length / word.count + 1)
    }

    private static func store(_ name: String, _ state: String) -> String {
        #"{"seq":0,"kind":"store","store":"\#(name)","type":"Cart","time":"2026-11-21T12:00:00.000000Z","at":{"file":"Shop/Cart.swift","line":7,"column":9,"function":"init()"},"state":\#(state)}"#
    }

    private static func commit(_ seq: Int, _ version: Int, _ written: Written, cause: Int? = nil) -> String {
        let time = "2026-11-21T\(12 + seq / 3600):\(two(seq / 60 % 60)):\(two(seq % 60)).000000Z"
        let operation = #"{"op":"replace","path":"\#(written.path)","value":\#(written.value)}"#
        return
            #"{"seq":\#(seq),"kind":"commit","store":"\#(written.store)","version":\#(version),"time":"\#(time)","at":{"file":"\#(written.file)","line":\#(30 + seq % 40),"column":9,"function":"\#(written.function)"}"#
            + (cause.map { ",\"cause\":\($0)" } ?? "") + #","patch":[\#(operation)]}"#
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func commits(_ count: Int, _ written: (Int) -> Written) -> [String] {
        [store("cart", #"{"items":[],"total":0}"#)]
            + (1...count).flatMap { seq -> [String] in
                let mark =
                    #"{"seq":\#(seq),"kind":"mark","time":"2026-11-21T12:00:00.000000Z","level":"error","text":"mark \#(seq)"}"#
                return [commit(seq, seq, written(seq), cause: seq > 1 ? seq - 1 : nil)] + (seq % 5 == 0 ? [mark] : [])
            }
    }

    private static var valueRecords: [String] {
        let text = "\"" + long("huge ", 60_000) + "\""
        let rows = "[" + (0..<600).map { #"{"id":\#($0),"name":"row \#($0)"}"# }.joined(separator: ",") + "]"
        return [store("cart", #"{"total":0,"text":"","rows":[]}"#)]
            + (1...60).map { seq in
                let (path, value) = [("/total", "\(seq)"), ("/text", text), ("/rows", rows)][seq % 3]
                return commit(seq, seq, ("cart", "Shop/Cart.swift", "add(_:)", path, value))
            } + [#"{"seq":60,"kind":"mark","time":"2026-11-21T12:00:00.000000Z","level":"error","text":\#(text)}"#]
    }

    private static var storeRecords: [String] {
        (0..<400).map { store("store\($0)", #"{"total":0,"list":[1,2,3]}"#) }
            + (1...800).map { seq in
                commit(
                    seq, (seq - 1) / 400 + 1,
                    ("store\(seq % 400)", "Shop/S\(seq % 400).swift", "f\(seq)()", "/total", "\(seq)"))
            }
    }

    private static var nameRecords: [String] {
        let (name, member) = (long("store", 300), long("member", 5_000))
        return [store(name, "{\"\(member)\":0}")]
            + (1...80).map { seq in
                commit(
                    seq, seq,
                    (
                        name, long("Folder", 400) + "/" + long("File", 300) + ".swift", long("function", 900),
                        "/" + member, "\(seq)"
                    ))
            }
    }

    private static var deepRecords: [String] {
        let depth = 100
        let deep = String(repeating: #"{"child":["#, count: depth) + "1" + String(repeating: "]}", count: depth)
        return [store("cart", #"{"total":0,"tree":\#(deep)}"#)]
            + (1...60).map { seq in
                let path = "/tree" + String(repeating: "/child/0", count: depth)
                return commit(
                    seq, seq, ("cart", "Shop/Cart.swift", "add(_:)", seq % 2 == 0 ? path : "/total", "\(seq)"))
            }
    }
}

/// As much of JSON Schema as the Model Context Protocol's schemas use; a keyword that is not known is a fault.
struct JSONSchema {
    private let definitions: JSONObject

    /// The schema of a revision; nil where the suites are not there.
    init?(_ revision: String) {
        let file = SharedFolder.packageRoot.appendingPathComponent(
            "../shared/suites/model-context-protocol/\(revision)/schema.json")
        guard let data = try? Data(contentsOf: file), let json = try? JSONParser.parse(Array(data)),
            let definitions = json.object?["$defs"]?.object
        else { return nil }
        self.definitions = definitions
    }

    /// Whether the suites are there.
    static let isThere = JSONSchema("2025-11-25") != nil

    /// Why a value is not of a definition; nil where it is.
    func fault(of value: JSONValue, _ definition: String) -> String? {
        guard let schema = definitions[definition] else { return "there is no definition '\(definition)'" }
        return fault(of: value, schema, at: "")
    }

    private func fault(of value: JSONValue, _ schema: JSONValue, at place: String) -> String? {
        guard let schema = schema.object else { return nil }
        for (keyword, rule) in schema {
            if let fault = fault(of: value, keyword, rule, schema, at: place) { return fault }
        }
        return nil
    }

    private func fault(
        of value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONObject, at place: String
    ) -> String? {
        switch keyword {
        case "description", "format", "default", "title", "$schema": return nil
        case "$ref":
            let name = rule.string?.split(separator: "/").last.map(String.init) ?? ""
            return fault(of: value, definitions[name] ?? .null, at: place)
        case "type":
            let types = rule.string.map { [$0] } ?? elements(rule).compactMap(\.string)
            return types.contains { isType(value, $0) } ? nil : "\(place) is not \(types)"
        case "const": return value == rule ? nil : "\(place) is not \(rule.text())"
        case "enum": return elements(rule).contains(value) ? nil : "\(place) is none of \(rule.text())"
        case "minimum":
            guard case .number(let number) = value, let least = rule.object == nil ? rule.integerNumber : nil else {
                return nil
            }
            return (number.integerValue ?? 0) >= least ? nil : "\(place) is less than \(least)"
        case "required":
            guard let object = value.object else { return nil }
            return elements(rule).compactMap(\.string).first { object[$0] == nil }.map { "\(place) lacks '\($0)'" }
        case "properties":
            guard let object = value.object else { return nil }
            for (name, member) in object {
                guard let own = rule.object?[name] else { continue }
                if let fault = fault(of: member, own, at: place + "/" + name) { return fault }
            }
            return nil
        case "additionalProperties":
            guard let object = value.object else { return nil }
            for (name, member) in object where schema["properties"]?.object?[name] == nil {
                if rule == .bool(false) { return "\(place) has '\(name)'" }
                if let fault = fault(of: member, rule, at: place + "/" + name) { return fault }
            }
            return nil
        case "items":
            for (index, element) in elements(value).enumerated() {
                if let fault = fault(of: element, rule, at: place + "/\(index)") { return fault }
            }
            return nil
        case "anyOf", "oneOf":
            let faults = elements(rule).map { fault(of: value, $0, at: place) }
            return faults.contains { $0 == nil } ? nil : faults.compactMap(\.self).joined(separator: "; ")
        case "allOf": return elements(rule).lazy.compactMap { fault(of: value, $0, at: place) }.first
        default: return "the schema has '\(keyword)'"
        }
    }

    private func elements(_ value: JSONValue) -> [JSONValue] {
        value.array ?? []
    }

    private func isType(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.object, "object"), (.array, "array"), (.string, "string"), (.bool, "boolean"), (.null, "null"): true
        case (.number, "number"): true
        case (.number(let number), "integer"): number.integerValue != nil
        default: false
        }
    }
}

extension JSONValue {
    fileprivate var integerNumber: Int? {
        if case .number(let number) = self { return number.integerValue }
        return nil
    }
}
