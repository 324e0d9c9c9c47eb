import JSONCore
import Diagnostics
import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@testable import JournalFormat

/// A write call that fails as a test wants it.
final class FaultyFile: Sendable {
    /// What the next writes do; when the list is empty they work.
    enum Step { case fail(Int32), partly(Int) }

    let steps: Mutex<[Step]>
    let truncateFails = Mutex(0)

    init(_ steps: [Step]) { self.steps = Mutex(steps) }

    var calls: SystemCalls {
        SystemCalls(
            write: { file, bytes, count in
                guard let step = self.steps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    return SystemCalls.plainWrite(file, bytes, count)
                }
                switch step {
                case .fail(let code):
                    errno = code
                    return -1
                case .partly(let part): return SystemCalls.plainWrite(file, bytes, min(part, count))
                }
            },
            truncate: { file, size in
                let fails = self.truncateFails.withLock { count in
                    defer { count = max(0, count - 1) }
                    return count > 0
                }
                if fails {
                    errno = EIO
                    return -1
                }
                return SystemCalls.plainTruncate(file, size)
            })
    }

    /// Sets what the next writes do.
    func next(_ steps: [Step]) { self.steps.withLock { $0 = steps } }
}

@Suite("Writing a journal")
struct JournalWriterTests {
    let folder = TemporaryFolder()
    let location = SourceLocation(file: "Shop/Cart.swift", line: 42, column: 9, function: "add(_:)")

    func writer(
        _ name: String = "run.jsonl", replace: Bool = false,
        sync: JournalWriter.FileSync = .never, calls: SystemCalls = SystemCalls()
    ) throws -> JournalWriter {
        try JournalWriter(
            path: folder.path(name), header: JournalHeader(recorder: "test"),
            options: .init(replace: replace, sync: sync), calls: calls)
    }

    func commits(_ numbers: ClosedRange<Int>, store: String = "cart") -> LineBuilder {
        var lines = LineBuilder()
        for number in numbers {
            lines.beginCommit(seq: CommitNumber(number), store: store, version: number, time: .now(), at: location)
            lines.bytes += Array("[]".utf8)
            lines.endRecord()
        }
        return lines
    }

    @Test("a journal is its header, what was appended, and an end with the totals")
    func whole() throws {
        let writer = try writer()
        var lines = LineBuilder()
        lines.beginStore(seq: .zero, store: "cart", type: "Cart", time: .now(), at: location)
        lines.bytes += Array("{}".utf8)
        lines.endRecord()
        lines.mark(seq: .zero, time: .now(), at: nil, text: "hello")
        lines.derived(seq: .zero, name: "badge", inputs: nil, at: location)
        try writer.append(&lines)
        #expect(lines.isEmpty)
        lines = commits(1...3)
        try writer.append(&lines)
        #expect(writer.lastCommit == CommitNumber(3))
        try writer.close()
        try writer.close()
        let text = TemporaryFolder.lines(folder.path("run.jsonl"))
        #expect(text.count == 8)
        #expect(text[0].hasPrefix(#"{"seq":0,"kind":"journal","version":1,"id":""#))
        let totals =
            #""totals":{"commits":{"cart":3},"open":["cart"],"derived":["badge"],"marks":1,"gaps":0,"aborts":0}"#
        #expect(text[7].hasPrefix(#"{"seq":3,"kind":"end","time":""#))
        #expect(text[7].contains(totals))
        for line in text { #expect(Array(line.utf8).withBytes { LineSum.check($0) } == .right) }
        lines = commits(4...4)
        #expect { try writer.append(&lines) } throws: { ($0 as? JournalWriteError)?.cause == .closed }
    }

    @Test("the file is for its owner only")
    func mode() throws {
        let writer = try writer()
        var status = stat()
        #expect(stat(writer.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("a file that exists is not written over, unless it is to be replaced")
    func exists() throws {
        folder.write("precious", to: "run.jsonl")
        #expect { try self.writer() } throws: { ($0 as? JournalWriteError)?.cause == .exists }
        #expect(TemporaryFolder.lines(folder.path("run.jsonl")) == ["precious"])
        try writer(replace: true).close()
        #expect(TemporaryFolder.lines(folder.path("run.jsonl")).count == 2)
    }

    @Test("a folder, a link and a journal that is being written are not replaced")
    func notReplaced() throws {
        mkdir(folder.path("folder"), 0o700)
        #expect { try self.writer("folder", replace: true) } throws: { ($0 as? JournalWriteError)?.cause == .notAFile }
        folder.write([1], to: "target")
        symlink(folder.path("target"), folder.path("link"))
        #expect { try self.writer("link", replace: true) } throws: { ($0 as? JournalWriteError)?.cause == .notAFile }
        #expect { try self.writer("link") } throws: { ($0 as? JournalWriteError)?.cause == .exists }
        let first = try writer()
        #expect { try self.writer(replace: true) } throws: { ($0 as? JournalWriteError)?.cause == .locked }
        try first.close()
    }

    /// What can go wrong while a file is replaced.
    enum ReplacingFault: CaseIterable { case write, partOfWrite, sync, rename }

    @Test(
        "what is to be replaced stays as it is where the new file cannot be made, and nothing else is left",
        arguments: ReplacingFault.allCases)
    func replacingFails(fault: ReplacingFault) throws {
        folder.write("precious", to: "run.jsonl")
        var calls = SystemCalls()
        switch fault {
        case .write: calls = FaultyFile([.fail(ENOSPC)]).calls
        case .partOfWrite: calls = FaultyFile([.partly(10), .fail(EDQUOT)]).calls
        case .sync:
            calls.sync = { _ in
                errno = EIO
                return -1
            }
        case .rename:
            calls.changeNames = { change in
                guard case .rename = change else { return SystemCalls.plainChangeNames(change) }
                errno = EACCES
                return -1
            }
        }
        #expect { try self.writer("run.jsonl", replace: true, calls: calls) } throws: { error in
            guard case .system? = (error as? JournalWriteError)?.cause else { return false }
            return (error as? JournalWriteError)?.path == folder.path("run.jsonl")
        }
        #expect(folder.names == ["run.jsonl"])
        #expect(TemporaryFolder.lines(folder.path("run.jsonl")) == ["precious"])
        try writer("run.jsonl", replace: true).close()
        #expect(TemporaryFolder.lines(folder.path("run.jsonl")).count == 2)
    }

    @Test("what is to be replaced stays as it is where no descriptor is left", arguments: 0...1)
    func noDescriptor(left: Int) async throws {
        folder.write("precious", to: "run.jsonl")
        await #expect(processExitsWith: .success) { [path = folder.path("run.jsonl") as String, left = left as Int] in
            var taken: [Int32] = []
            while case let number = open("/dev/null", O_RDONLY), number >= 0 { taken.append(number) }
            for number in taken.suffix(left) { close(number) }
            do throws(JournalWriteError) {
                _ = try JournalWriter(
                    path: path, header: JournalHeader(recorder: "test"), options: .init(replace: true))
            } catch {
                exit(error.cause == .system(operation: "open", code: EMFILE) ? 0 : 1)
            }
            exit(2)
        }
        #expect(folder.names == ["run.jsonl"])
        #expect(TemporaryFolder.lines(folder.path("run.jsonl")) == ["precious"])
    }

    @Test("a kill while a file is replaced leaves the old one or the new one, and what else it leaves is replaced next")
    func killedWhileReplacing() throws {
        folder.write("precious", to: "run.jsonl")
        folder.write("half a head", to: "run.jsonl.next")
        let path = folder.path("run.jsonl")
        let wasWhole = Mutex<[Bool]>([])
        let check: @Sendable () -> Void = {
            let lines = TemporaryFolder.lines(path)
            let isNew = lines.first?.hasPrefix(#"{"seq":0,"kind":"journal""#) ?? false && lines[0].hasSuffix("\"}")
            wasWhole.withLock { $0.append(lines == ["precious"] || isNew) }
        }
        let calls = SystemCalls(
            write: { file, bytes, count in
                check()
                return SystemCalls.plainWrite(file, bytes, max(1, count / 2))
            },
            changeNames: { change in
                check()
                defer { check() }
                return SystemCalls.plainChangeNames(change)
            })
        try writer(replace: true, calls: calls).close()
        #expect(wasWhole.withLock { $0.count > 4 && $0.allSatisfy(\.self) })
        #expect(folder.names == ["run.jsonl"])
    }

    @Test("a file whose name is as long as the file system takes is replaced")
    func longName() throws {
        let name = String(repeating: "日", count: 83) + ".jsonl"
        #expect(name.utf8.count == 255)
        folder.write("old", to: name)
        try writer(name, replace: true).close()
        #expect(TemporaryFolder.lines(folder.path(name)).count == 2)
        #expect(folder.names == [name])
    }

    @Test("a folder that is not there is told as such")
    func noFolder() {
        #expect { try self.writer("none/run.jsonl") } throws: { error in
            guard let error = error as? JournalWriteError else { return false }
            return error.cause == .system(operation: "open", code: ENOENT)
                && error.diagnostic.help == ["make the folder first"]
        }
    }

    @Test("%p, %t and %% in the path are filled in")
    func pathNames() {
        let time = Timestamp(microseconds: 123)
        #expect(
            JournalPath.expanded("/a/%p-%t-%%-%x%", process: 77, time: time) == "/a/77-19700101T000000.000123Z-%-%x%")
    }

    @Test("a short write is gone on with, and an interrupted one tried again")
    func shortWrite() throws {
        let faults = FaultyFile([])
        let writer = try writer("run.jsonl", calls: faults.calls)
        faults.next([.partly(5), .fail(EINTR), .partly(1)])
        var lines = commits(1...2)
        let bytes = lines.bytes
        try writer.append(&lines)
        #expect(TemporaryFolder.read(writer.path).suffix(bytes.count) == bytes[...])
        try writer.close()
    }

    @Test(
        "what a full disk has no room for is cut off again, told once, and the totals are those of the file")
    func fullDisk() throws {
        let faults = FaultyFile([])
        let writer = try writer("run.jsonl", calls: faults.calls)
        var lines = commits(1...2)
        try writer.append(&lines)
        let whole = TemporaryFolder.read(writer.path)
        faults.next([.partly(100), .fail(ENOSPC)])
        #expect {
            lines = commits(3...5)
            try writer.append(&lines)
        } throws: { error in
            let error = error as? JournalWriteError
            return error?.cause == .system(operation: "write", code: ENOSPC) && error?.lastKept == CommitNumber(2)
        }
        #expect(lines.isEmpty)
        #expect(TemporaryFolder.read(writer.path) == whole)
        #expect(writer.lastCommit == CommitNumber(2))
        #expect(writer.totals.commits == [Totals.StoreCommits(store: "cart", count: 2)])
        lines.beginGap(first: CommitNumber(3), lost: 3, time: .now(), reason: "disk full")
        lines.state(of: "cart", ByteView(""))
        lines.bytes += Array("{}".utf8)
        lines.endGap()
        try writer.append(&lines)
        try writer.close()
        #expect(TemporaryFolder.lines(writer.path).last!.contains(#""commits":{"cart":2},"open":["cart"]"#))
        #expect(TemporaryFolder.lines(writer.path).last!.hasPrefix(#"{"seq":5,"kind":"end""#))
    }

    @Test("a fragment that cannot be cut off at once is cut off before the next line")
    func stubbornFragment() throws {
        let faults = FaultyFile([])
        let writer = try writer(calls: faults.calls)
        faults.next([.partly(10), .fail(ENOSPC)])
        faults.truncateFails.withLock { $0 = 1 }
        var lines = commits(1...1)
        #expect(throws: JournalWriteError.self) { try writer.append(&lines) }
        lines = commits(1...1)
        try writer.append(&lines)
        let text = TemporaryFolder.lines(writer.path)
        #expect(text.count == 2)
        #expect(Array(text[1].utf8).withBytes { LineSum.check($0) } == .right)
        try writer.close()
    }

    @Test("a descriptor that something else closed is told as such")
    func closedDescriptor() throws {
        let faults = FaultyFile([])
        let writer = try writer("run.jsonl", calls: faults.calls)
        faults.next([.fail(EBADF)])
        var lines = commits(1...1)
        #expect {
            try writer.append(&lines)
        } throws: { ($0 as? JournalWriteError)?.cause == .system(operation: "write", code: EBADF) }
    }

    @Test("a header that cannot be written leaves no file")
    func noHeader() throws {
        #expect(throws: JournalWriteError.self) { try self.writer(calls: FaultyFile([.fail(ENOSPC)]).calls) }
        #expect(folder.names.isEmpty)
    }

    @Test("a keyframe is due once 64 KiB, or four times the last keyframe, were written since it")
    func keyframes() throws {
        let writer = try writer()
        #expect(!writer.needsKeyframe)
        var number = 0
        var written = 0
        while !writer.needsKeyframe {
            number += 1
            var lines = commits(number...number)
            written += lines.bytes.count
            try writer.append(&lines)
        }
        #expect(written > 65536 - 400 && written < 65536 + 400)
        var lines = LineBuilder()
        lines.beginKeyframe(seq: CommitNumber(number))
        lines.stateKey("cart")
        lines.string(String(repeating: "x", count: 100_000))
        lines.endKeyframe(totals: writer.totals)
        let size = lines.bytes.count
        try writer.append(&lines)
        #expect(!writer.needsKeyframe)
        written = 0
        while !writer.needsKeyframe {
            number += 1
            lines = commits(number...number)
            written += lines.bytes.count
            try writer.append(&lines)
        }
        #expect(written > 4 * size && written < 4 * size + 400)
    }

    @Test(
        "what states cost when they are opened counts as their keyframe, so the first commit after is no reason for one"
    )
    func openingStates() throws {
        let writer = try writer()
        let size = 200_000
        var lines = states(["a", "b"], size)
        try writer.append(&lines)
        lines = commits(1...1, store: "a")
        try writer.append(&lines)
        #expect(!writer.needsKeyframe)
        // As after a keyframe of this size.
        var number = 1
        var written = 0
        while !writer.needsKeyframe {
            number += 1
            lines = commits(number...number, store: "a")
            written += lines.bytes.count
            try writer.append(&lines)
        }
        #expect(written > 4 * 2 * size && written < 4 * 2 * (size + 400) + 400)
        try writer.close()
    }

    @Test("a gap counts as a keyframe, since reading can begin there")
    func gapStates() throws {
        let writer = try writer()
        var lines = commits(1...1)
        try writer.append(&lines)
        lines.beginGap(first: CommitNumber(2), lost: 3, time: .now(), reason: "disk full")
        lines.stateKey("cart")
        lines.string(String(repeating: "x", count: 100_000))
        lines.endGap()
        try writer.append(&lines)
        lines = commits(5...5)
        try writer.append(&lines)
        #expect(!writer.needsKeyframe)
        try writer.close()
    }

    @Test("states of stores that were closed again are bytes to be read over, so keyframes come for them, too")
    func closedStates() throws {
        let writer = try writer()
        let size = 10_000
        var (number, written) = (0, 0)
        while !writer.needsKeyframe, number < 100 {
            number += 1
            var lines = states(["row"], size)
            lines.append(commits(number...number, store: "row"))
            lines.close(seq: CommitNumber(number), store: "row", time: .now())
            written += lines.bytes.count
            try writer.append(&lines)
        }
        #expect(written < 64 * 1024 + 6 * size)
        try writer.close()
    }

    private func states(_ stores: [String], _ size: Int) -> LineBuilder {
        var lines = LineBuilder()
        for store in stores {
            lines.beginStore(seq: .zero, store: store, type: "Cart", time: .now(), at: location)
            lines.string(String(repeating: "x", count: size))
            lines.endRecord()
        }
        return lines
    }

    @Test("fsync is called for every commit, or once an interval is over, or never")
    func fileSync() throws {
        for (sync, count) in [
            (JournalWriter.FileSync.never, 0), (.everyCommit, 3), (.interval(seconds: 0), 3),
            (.interval(seconds: 1000), 0),
        ] {
            let calls = Mutex(0)
            let writer = try writer(
                "\(sync)", sync: sync,
                calls: SystemCalls(sync: { file in
                    calls.withLock { $0 += 1 }
                    return SystemCalls.plainSync(file)
                }))
            for number in 1...3 {
                var lines = commits(number...number)
                try writer.append(&lines)
            }
            #expect(calls.withLock { $0 } == count, "\(sync)")
            try writer.close()
        }
    }

    @Test("a forked child writes nothing, and its exit neither")
    func forkedChild() throws {
        let writer = try writer()
        var lines = commits(1...1)
        try writer.append(&lines)
        let before = TemporaryFolder.read(writer.path)
        var more = commits(2...2)
        let child = forkChild()
        if child == 0 {
            // A lock that another thread held at the fork stays held: then this ends, and the test fails, instead of waiting.
            alarm(60)
            do {
                try writer.append(&more)
                try writer.close()
                _exit(more.isEmpty ? 0 : 1)
            } catch { _exit(2) }
        }
        var status: Int32 = -1
        waitpid(child, &status, 0)
        #expect(status == 0)
        #expect(TemporaryFolder.read(writer.path) == before)
        try writer.close()
    }

    @Test("a normal exit of the process writes the end")
    func normalExit() async throws {
        let path = folder.path("run.jsonl")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let writer = try JournalWriter(path: path, header: JournalHeader(recorder: "test"))
            var lines = LineBuilder()
            lines.mark(seq: .zero, time: .now(), at: nil, text: "tapped")
            try writer.append(&lines)
            // Holds the writer to the end of the process, as an app's global does.
            withExtendedLifetime(writer) { exit(0) }
        }
        let text = TemporaryFolder.lines(path)
        try #require(text.count == 3)
        #expect(text[1].contains("tapped"))
        #expect(text[2].hasPrefix(#"{"seq":0,"kind":"end""#))
    }

    @Test("a writer that is let go of ends its journal")
    func letGo() throws {
        _ = try writer()
        #expect(TemporaryFolder.lines(folder.path("run.jsonl")).count == 2)
    }

    @Test("the end is never earlier than the last line")
    func endTime() throws {
        let writer = try writer()
        var lines = LineBuilder()
        lines.mark(seq: .zero, time: Timestamp("2999-01-01T00:00:00Z")!, at: nil, text: "far")
        try writer.append(&lines)
        try writer.close()
        #expect(TemporaryFolder.lines(writer.path).last!.contains("2999-01-01T00:00:00.000000Z"))
    }
}

/// fork(2), which Swift does not import: the child may only call what is safe after it, and leave by `_exit`.
private func forkChild() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    let address = dlsym(nil, "fork")
    return unsafeBitCast(address, to: Fork.self)()
}
