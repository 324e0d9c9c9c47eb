// swift-tools-version: 6.2
import PackageDescription

/// The rules of what tests: with pointers, some of it, since a test that fails harms nobody's data.
let testRules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
/// One set of rules for every target of the product, so that no module is held to less than another: what is unsafe is marked.
let rules = testRules + [.strictMemorySafety()]

/// A library module; its imports are exactly `dependencies`, and the build checks that.
///
/// - Parameters:
///   - page: where in its folder the page is that a newcomer reads first.
///   - parts: the folder in it of what is not Swift.
func library(
    _ name: String, _ dependencies: Target.Dependency..., page: String? = nil, parts: String? = nil
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: [page, parts].compactMap(\.self), swiftSettings: rules)
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: testRules)
}

/// The modules of the command.
let command = ["CommandLine", "Commands", "Debugger", "ReportPage", "AgentServer", "StateInspectCLI"]

let package = Package(
    name: "state-inspect",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "StateStore", targets: ["StateStore", "JournalFormat"]),
        .library(name: "StateReplay", targets: ["StateReplay", "JournalReading"]),
        .library(name: "StateStoreTesting", targets: ["StateStoreTesting"]),
        .library(name: "JournalFormat", targets: ["JournalFormat", "JournalReading", "JSONCore"]),
        .library(
            name: "Interchange",
            targets: ["Interchange", "JournalFormat", "JournalReading", "JSONCore", "QueryLanguage"]),
        .executable(name: "state-inspect", targets: ["state-inspect"]),
        .plugin(name: "StateInspectPlugin", targets: ["StateInspectPlugin"]),
    ],
    targets: [
        library("Diagnostics"),
        library("Platform"),
        library("JSONCore", "Diagnostics", "Platform"),
        library("JournalFormat", "Diagnostics", "Platform", "JSONCore"),
        library("StateEncoding", "Diagnostics", "Platform", "JSONCore", "JournalFormat", page: "README.md"),
        library("EntityTables", "JSONCore", "StateEncoding"),
        library("StoreCore", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "StateEncoding", "EntityTables"),
        library("StatePatterns", "Platform", "JournalFormat", "StateEncoding", "EntityTables", "StoreCore"),
        library(
            "StateStore", "Diagnostics", "JournalFormat", "StateEncoding", "EntityTables", "StoreCore", "StatePatterns"),
        library("JournalReading", "Diagnostics", "Platform", "JSONCore", "JournalFormat", page: "Line/README.md"),
        library(
            "StateReplay", "Diagnostics", "JSONCore", "JournalFormat", "JournalReading", "StateEncoding", "StoreCore"),
        library("StateStoreTesting", "Platform", "JournalFormat", "StateStore", "StateReplay"),
        library("QueryLanguage", "Diagnostics", "Platform", "JSONCore", page: "README.md"),
        library(
            "TimeTravel", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage",
            page: "README.md"),
        library("Interchange", "Diagnostics", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage"),
        library(
            "CommandLine", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage",
            "TimeTravel", "Interchange", page: "README.md"),
        library(
            "Commands", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage",
            "TimeTravel", "Interchange", "CommandLine"),
        library(
            "Debugger", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage",
            "TimeTravel", "CommandLine", "Commands"),
        library(
            "ReportPage", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage",
            "TimeTravel", "CommandLine", "Commands", parts: "Page"),
        library("AgentServer", "Diagnostics", "Platform", "JSONCore", "CommandLine"),
        library("StateInspectCLI", "CommandLine", "Commands", "Debugger", "ReportPage", "AgentServer"),
        .executableTarget(name: "state-inspect", dependencies: ["StateInspectCLI"], swiftSettings: rules),
        .plugin(
            name: "StateInspectPlugin",
            capability: .command(
                intent: .custom(verb: "state-inspect", description: "Looks into the journal of a run: state-inspect")),
            dependencies: ["state-inspect"], path: "Sources/StateInspectPlugin"),
        .executableTarget(
            name: "shop", dependencies: ["JournalFormat", "StateStore"], path: "samples/shop", swiftSettings: rules),

        .target(
            name: "TestSupport", dependencies: ["JSONCore", "JournalFormat", "JournalReading"],
            path: "Tests/TestSupport", swiftSettings: testRules),
        tests("DiagnosticsTests", "Diagnostics"),
        tests("JSONCoreTests", "Diagnostics", "JSONCore"),
        tests("PlatformTests", "Platform"),
        tests("JournalFormatTests", "Diagnostics", "Platform", "JSONCore", "JournalFormat"),
        tests("JournalReadingTests", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading"),
        tests(
            "StateStoreTests", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading",
            "StateEncoding", "EntityTables", "StoreCore", "StatePatterns", "StateStore", "StateReplay",
            "StateStoreTesting", "TimeTravel"),
        tests(
            "DocumentationTests", "JSONCore", "JournalFormat", "JournalReading", "StateStore", "StateReplay",
            "StateStoreTesting"),
        tests("QueryLanguageTests", "Diagnostics", "Platform", "JSONCore", "QueryLanguage"),
        tests(
            "TimeTravelTests", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage", "StateStore",
            "TimeTravel"),
        tests(
            "InterchangeTests", "Diagnostics", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage",
            "TimeTravel", "Interchange"),
        tests("ReferenceTests", "Platform", "JSONCore", "QueryLanguage", "CommandLine", "StateInspectCLI"),
        tests(
            "StateInspectCLITests", "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading",
            "QueryLanguage", "TimeTravel", "Interchange", "CommandLine", "Commands", "Debugger", "ReportPage",
            "AgentServer", "StateInspectCLI"),
        tests(
            "EndToEndTests", "JSONCore", "JournalFormat", "JournalReading", "StateStore", "StateStoreTesting",
            "TimeTravel", "state-inspect", "shop", "crashing"),
        .executableTarget(
            name: "crashing", dependencies: ["JournalFormat", "StateStore"], path: "Tests/Crashing",
            swiftSettings: testRules),
    ],
    swiftLanguageModes: [.v6]
)

// What measures, and is no test of the product: how well a bug is found, in how many calls, what a commit costs. `swift build` and
// `swift test` do not see it.
if Context.environment["STATE_INSPECT_LAB"] != nil {
    package.targets += [
        .executableTarget(
            name: "StateBugs",
            dependencies: [
                "JSONCore", "JournalFormat", "JournalReading", "StateStore", "QueryLanguage", "TimeTravel",
                "Interchange", "TestSupport",
            ],
            path: "Tests/Lab/StateBugs", exclude: ["README.md"], swiftSettings: testRules),
        .executableTarget(
            name: "Agents",
            dependencies: [
                "JSONCore", "JournalFormat", "JournalReading", "TestSupport", "StateBugs", "state-inspect",
            ],
            path: "Tests/Lab/Agents", exclude: ["README.md"], swiftSettings: testRules),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Platform", "JSONCore", "JournalFormat", "JournalReading", "StateStore", "StateReplay", "QueryLanguage",
                "TimeTravel", "CommandLine", "StateInspectCLI", "TestSupport",
            ],
            path: "Tests/Lab/Benchmarks", exclude: ["Results"], swiftSettings: testRules),
    ]
}

// The suites of what is inlined into other modules, and what they test, alone: in release the rest takes a quarter of an hour more.
if Context.environment["STATE_INSPECT_INLINED"] != nil {
    let suites = ["StateStoreTests", "JSONCoreTests", "JournalFormatTests", "JournalReadingTests"]
    package.products.removeAll { !($0 is Product.Library) || $0.name == "Interchange" }
    package.targets.removeAll {
        switch $0.type {
        case .test: !suites.contains($0.name)
        case .regular: $0.name == "Interchange" || command.contains($0.name)
        default: true
        }
    }
}

// The program that is released: the command itself is built for size, what reads and asks for speed.
if Context.environment["STATE_INSPECT_RELEASE"] != nil {
    for target in package.targets where command.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Osize"])]
    }
}

// libFuzzer comes with a sanitizer, so the program that it drives is built only when asked for; it says how.
if Context.environment["STATE_INSPECT_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzing",
            dependencies: [
                "Diagnostics", "Platform", "JSONCore", "JournalFormat", "JournalReading", "QueryLanguage", "TimeTravel",
                "Interchange", "CommandLine", "Commands", "Debugger", "StateInspectCLI", "TestSupport",
            ],
            path: "Tests/Lab/Fuzzing", exclude: ["README.md"], swiftSettings: testRules,
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]))
}

// The thread sanitizer sees a mutex of the system's threads, not the one of Synchronization on Linux, so with this setting the
// first takes the place of the second in every module; `.ci/thread-sanitizer/Mutex.swift` says why. An import that is then of
// no use is a warning.
if Context.environment["STATE_INSPECT_PTHREAD_MUTEX"] != nil {
    for target in package.targets where target.type != .plugin {
        target.plugins = [.plugin(name: "PthreadMutex")]
        target.swiftSettings?.append(.treatAllWarnings(as: .warning))
    }
    package.targets.append(
        .plugin(
            name: "PthreadMutex", capability: .buildTool(), path: ".ci/thread-sanitizer",
            sources: ["PthreadMutex.swift"]))
}
