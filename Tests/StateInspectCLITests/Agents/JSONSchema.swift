import Foundation
import JSONCore
import TestSupport

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
        case "allOf":
            return elements(rule).lazy.compactMap { fault(of: value, $0, at: place) }.first
        default: return "the schema has '\(keyword)'"
        }
    }

    private func elements(_ value: JSONValue) -> [JSONValue] {
        if case .array(let elements) = value { return elements }
        return []
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
