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

    package init(_ environment: Environment) { self.environment = environment }

    /// Why the program cannot be started; nil if nothing speaks against it.
    package func problem(with program: String) -> SystemFailure? {
        var worst = SystemFailure("exec", code: ENOENT)
        for path in candidates(program) {
            guard let problem = problem(at: path) else { return nil }
            if problem.code != ENOENT { worst = problem }
        }
        return worst
    }

    package func path(of program: String) -> String? {
        candidates(program).first { problem(at: $0) == nil }
    }

    private func candidates(_ program: String) -> [String] {
        if program.contains("/") { return [program] }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        return folders.map { ($0.isEmpty ? "." : String($0)) + "/" + program }
    }

    private func problem(at path: String) -> SystemFailure? {
        do throws(SystemFailure) {
            guard try FileStatus(path).kind == .regular else { return SystemFailure("exec", code: EACCES) }
        } catch {
            return error
        }
        return unsafe access(path, X_OK) == 0 ? nil : SystemFailure("access")
    }
}
