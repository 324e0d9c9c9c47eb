import Testing

/// The arguments of a case of a parameterized test, which Swift Testing shows to nobody but by reflection.
enum TestArguments {
    /// The arguments as text; nil where there are none, or they are not found.
    static func text(of testCase: Test.Case) -> String? {
        guard testCase.isParameterized, let arguments = find(in: testCase, depth: 4) else { return nil }
        let values = Mirror(reflecting: arguments).children.compactMap { child in
            Mirror(reflecting: child.value).children.first { $0.label == "value" }.map { "\($0.value)" }
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func find(in value: Any, depth: Int) -> Any? {
        if depth == 0 { return nil }
        for child in Mirror(reflecting: value).children {
            if child.label == "arguments" { return child.value }
            if let found = find(in: child.value, depth: depth - 1) { return found }
        }
        return nil
    }
}
