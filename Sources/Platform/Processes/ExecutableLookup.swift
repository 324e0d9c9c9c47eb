#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Finds out whether a program can be started, without starting it.
package struct ExecutableLookup {
    private let environment: Environment

    /// Searches the folders that the environment names.
    package init(_ environment: Environment) { self.environment = environment }

    /// Why the program cannot be started; nil if nothing speaks against it.
    package func problem(with program: String) -> SystemFailure? {
        if program.contains("/") { return problem(at: program) }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        var worst = SystemFailure("exec", code: ENOENT)
        for folder in folders {
            guard let problem = problem(at: (folder.isEmpty ? "." : String(folder)) + "/" + program) else { return nil }
            if problem.code != ENOENT { worst = problem }
        }
        return worst
    }

    private func problem(at path: String) -> SystemFailure? {
        do throws(SystemFailure) {
            guard try FileStatus(path).kind == .regular else { return SystemFailure("exec", code: EACCES) }
        } catch {
            return error
        }
        return access(path, X_OK) == 0 ? nil : SystemFailure("access")
    }
}
