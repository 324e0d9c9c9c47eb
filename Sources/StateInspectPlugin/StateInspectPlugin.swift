import Foundation
import PackagePlugin

/// `swift package state-inspect ARGUMENT…`: builds the command where a package depends on this one, and runs it.
///
/// It runs where it was typed, on what it was given, and prints what the command prints. SwiftPM knows of a plug-in only whether it
/// failed: the status is 0 where the command's is 0, else 1.
@main
struct StateInspectPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        process.executableURL = try context.tool(named: "state-inspect").url
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        guard status == 0 else {
            Diagnostics.error("state-inspect ended with status \(status)")
            exit(status)
        }
    }
}
