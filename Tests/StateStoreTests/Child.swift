#if canImport(Glibc)
import Glibc

/// Runs programs as children of the test.
enum Child {
    /// Runs one to its end.
    ///
    /// - Parameters:
    ///   - variable: is set in its environment beside this process's own, as `NAME=value`.
    ///   - output: where its standard output and error go.
    /// - Returns: its exit status; nil where it did not start, a signal ended it, or it did not end within half an hour.
    static func run(_ program: String, _ arguments: [String], adding variable: String, output: String) -> Int32? {
        var path = [CChar](repeating: 0, count: 4096)
        guard realpath(program, &path) != nil else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = [strdup(variable)] + inherited() + [nil]
        defer { (words + variables).forEach { free($0) } }
        var child = pid_t()
        guard posix_spawn(&child, path, &actions, nil, &words, &variables) == 0 else { return nil }
        var status: Int32 = 0
        var waits = 0
        while waitpid(child, &status, WNOHANG) != child {
            waits += 1
            if waits == 180_000 { kill(child, SIGKILL) }
            if waits > 181_000 { return nil }
            usleep(10_000)
        }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }

    /// This process's environment, without what tells a child that it is the body of an exit test.
    private static func inherited() -> [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            if strncmp(variable, "SWT_", 4) != 0 { variables.append(strdup(variable)) }
            next += 1
        }
        return variables
    }
}
#endif
