#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Finds out whether a program can be started, without starting it.
struct ExecutableLookup {
    private let environment: Environment

    /// Looks in the folders that the environment names.
    init(_ environment: Environment) { self.environment = environment }

    /// Why the program cannot be started; nil if nothing speaks against it.
    func problem(with program: String) -> SystemError? {
        if program.contains("/") { return problem(at: program) }
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        var worst = SystemError(code: ENOENT)
        for folder in folders {
            guard let problem = problem(at: (folder.isEmpty ? "." : String(folder)) + "/" + program) else { return nil }
            if problem.code != ENOENT { worst = problem }
        }
        return worst
    }

    private func problem(at path: String) -> SystemError? {
        var status = stat()
        guard stat(path, &status) == 0 else { return SystemError(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return SystemError(code: EACCES) }
        return access(path, X_OK) == 0 ? nil : SystemError(code: errno)
    }
}
