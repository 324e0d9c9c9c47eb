import Platform
import Testing

@Suite("Programs that are started")
struct ChildProcessTests {
    @Test("a program is started, its status is known, and one that is not there says so")
    func children() throws {
        let environment = Environment(["PATH": "/usr/bin:/bin", "ANSWER": "42"])
        let child = try ChildProcess.start(["sh", "-c", "exit $ANSWER"], environment: environment)
        #expect(child.wait() == .status(42))
        let killed = try ChildProcess.start(["sh", "-c", "kill -9 $$"], environment: environment)
        #expect(killed.wait() == .signal(9))
        #expect(throws: SystemFailure("posix_spawn", code: 2)) {
            try ChildProcess.start(["no-such-program-here"], environment: environment)
        }
    }
}
