import Foundation
import PackagePlugin

/// Compiles Mutex.swift, beside this file, into a module.
@main
struct PthreadMutex: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let source = context.package.directoryURL.appending(path: ".ci/thread-sanitizer/Mutex.swift")
        let copy = context.pluginWorkDirectoryURL.appending(path: "Mutex.swift")
        return [
            .buildCommand(
                displayName: "Put a pthread mutex in the place of Mutex", executable: URL(filePath: "/bin/cp"),
                arguments: [source.path, copy.path], inputFiles: [source], outputFiles: [copy])
        ]
    }
}
