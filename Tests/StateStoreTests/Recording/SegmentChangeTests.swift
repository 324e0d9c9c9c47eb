import Foundation
import JournalFormat
import JournalReading
import Platform
import StateStore
import Synchronization
import TestSupport
import Testing
import TimeTravel

/// A flight recorder that is killed between any two system calls: what a folder holds before each of them, since a kill takes
/// nothing from the kernel.
struct SegmentChangeTests {
    /// What a file system can do with names.
    enum Names: CaseIterable { case exchange, link, rename }

    /// A folder before a system call, as a kill would leave it.
    private struct Remains: Sendable {
        struct File: Sendable {
            var name: String
            var identity: FileStatus.Identity
            var bytes: [UInt8]
        }

        var files: [File]
        /// The last commit that returned.
        var returned: Int

        init(_ folder: String, returned: Int) throws {
            files = try FileSystem.names(in: folder).sorted().map { name in
                let path = "\(folder)/\(name)"
                return try File(name: name, identity: FileStatus(path).identity, bytes: TemporaryFolder.read(path))
            }
            self.returned = returned
        }

        /// Puts the files into a new folder, two names of one file as such.
        func restored() -> TemporaryFolder {
            let folder = TemporaryFolder()
            for (index, file) in files.enumerated() {
                if let twin = files[..<index].first(where: { $0.identity == file.identity }) {
                    link(folder.path(twin.name), folder.path(file.name))
                } else {
                    folder.write(file.bytes, to: file.name)
                }
            }
            return folder
        }

        /// The journals, the first of the names of each file.
        func journals(in folder: TemporaryFolder) throws -> [Journal] {
            let names = files.enumerated().filter { index, file in
                file.name.hasSuffix(".jsonl") && !files[..<index].contains { $0.identity == file.identity }
            }.map(\.element.name)
            return try names.map { try Journal.open(folder.path($0), access: .random) }
        }

        /// Whether a reader finds a segment under two names.
        var hasTwins: Bool {
            let segments = files.filter { $0.name.hasSuffix(".jsonl") }
            return Set(segments.map(\.identity)).count < segments.count
        }
        /// Whether the segments are being changed.
        var isChanging: Bool { hasTwins || files.contains { $0.name.hasSuffix(".next") } || newest == nil }
        var newest: [UInt8]? { files.first { $0.name == "run.jsonl" }?.bytes }
    }

    /// Records commits, and takes what a kill would leave before each call and in the middle of each write.
    private func remains(_ names: Names, _ durability: Recorder.Durability) throws -> [Remains] {
        let folder = TemporaryFolder()
        let path = folder.path
        let returned = Mutex(0)
        let found = Log<Remains>()
        let isHalf = Mutex(false)
        var calls = SystemCalls()
        let look: @Sendable () -> Void = {
            if let remains = try? Remains(path, returned: returned.withLock(\.self)) { found.add(remains) }
        }
        calls.write = { file, bytes, count in
            look()
            let isHalf = isHalf.withLock { isHalf in
                isHalf.toggle()
                return isHalf
            }
            return SystemCalls.plainWrite(file, bytes, isHalf ? max(count / 2, 1) : count)
        }
        calls.changeNames = { change in
            look()
            switch (change, names) {
            case (.exchange, .link), (.exchange, .rename): errno = EINVAL
            case (.link, .rename): errno = EPERM
            default: return SystemCalls.plainChangeNames(change)
            }
            return -1
        }
        let recorder = try Recorder(
            folder.path("run.jsonl"), durability: durability, limit: 12_000, options: .init(), calls: calls)
        let store = Store(Cart(), recorder: recorder)
        for count in 1...100 {
            store.commit { $0.count = count }
            if case .synchronous = durability { returned.withLock { $0 = count } }
        }
        recorder.close()
        return found.entries
    }

    @Test("no kill loses a commit, hides the newest segment or leaves a commit in two files", arguments: Names.allCases)
    func kills(names: Names) throws {
        let kills = try remains(names, .synchronous).drop { $0.returned == 0 }
        #expect(kills.filter(\.isChanging).count > 12)
        for (index, remains) in kills.enumerated() {
            let folder = remains.restored()
            let newestSize = remains.newest?.count ?? 0
            #expect(names == .rename || newestSize > 0, "kill \(index)")
            let hasTwins = remains.hasTwins
            #expect(names != .exchange || !hasTwins, "kill \(index)")
            let journals = try remains.journals(in: folder).sorted { $0.start < $1.start }
            var last = try #require(journals.first).start
            for journal in journals {
                #expect(journal.start == last, "kill \(index): \(journal.path)")
                var problems: [VerificationProblem] = []
                _ = try Verification.run(journal) { problems.append($0) }
                #expect(problems.allSatisfy { $0.code == .torn }, "kill \(index): \(problems)")
                last = try journal.lastCommit
            }
            #expect(last.rawValue >= remains.returned, "kill \(index)")
            if let newest = try? Journal.open(folder.path("run.jsonl"), access: .random) {
                #expect(try newest.lastCommit == last, "kill \(index)")
            }
            var merge = try JournalMerge(journals)
            let merged = try merge.write(to: LineSink { _ in })
            #expect(merged.commits == last.rawValue - journals[0].start.rawValue, "kill \(index)")
        }
    }

    @Test("with a queue in the background a kill leaves whole segments, too", arguments: Names.allCases)
    func background(names: Names) throws {
        for (index, remains) in try remains(names, .background).enumerated() where remains.isChanging {
            let newestSize = remains.newest?.count ?? 0
            #expect(names == .rename || newestSize > 0, "kill \(index)")
            let folder = remains.restored()
            let journals = try remains.journals(in: folder).sorted { $0.start < $1.start }
            for (one, other) in zip(journals, journals.dropFirst()) {
                #expect(try one.lastCommit == other.start, "kill \(index)")
            }
        }
    }

    @Test("the next run goes on over what a kill left, and leaves the segments alone", arguments: Names.allCases)
    func nextRun(names: Names) throws {
        for (index, remains) in try remains(names, .synchronous).enumerated() where remains.isChanging {
            let folder = remains.restored()
            var options = Recorder.Options()
            (options.id, options.replacesFile) = ("next", true)
            let recorder = try Recorder(folder.path("run.jsonl"), limit: 12_000, options: options)
            let store = Store(Cart(), recorder: recorder)
            for count in 1...60 { store.commit { $0.count = count } }
            recorder.close()
            for file in remains.files
            where file.name.hasPrefix("run.") && file.name.dropFirst(4).first?.isNumber == true {
                #expect(TemporaryFolder.read(folder.path(file.name)) == file.bytes, "kill \(index): \(file.name)")
            }
            #expect(!folder.names.contains { $0.hasSuffix(".next") }, "kill \(index)")
            let segments = try folder.names.map { try Journal.open(folder.path($0), access: .random) }
                .filter { try $0.header().id == "next" }.sorted { $0.start < $1.start }
            #expect(segments.count >= 2)
            for (one, other) in zip(segments, segments.dropFirst()) {
                #expect(try one.lastCommit == other.start, "kill \(index)")
            }
            let newest = try #require(segments.last)
            #expect(try newest.path == folder.path("run.jsonl") && newest.lastCommit == CommitNumber(60))
        }
    }

    @Test("where no name can be changed the old segment stays, and the next one begins with a gap once it can")
    func noNames() throws {
        let folder = TemporaryFolder()
        let errors = Log<String>()
        let isFailing = Flag()
        var calls = SystemCalls()
        calls.changeNames = { change in
            guard isFailing.value else { return SystemCalls.plainChangeNames(change) }
            errno = EIO
            return -1
        }
        let recorder = try Recorder(
            folder.path("run.jsonl"), limit: 12_000, options: .init().retrying, calls: calls,
            onError: { errors.add($0.diagnostic.code) })
        let store = Store(Cart(), recorder: recorder)
        isFailing.value = true
        while errors.entries.isEmpty { store.commit { $0.count += 1 } }
        #expect(folder.names.sorted() == ["run.jsonl", "run.jsonl.next"])
        let old = try Journal.open(folder.path("run.jsonl"), access: .random)
        isFailing.value = false
        store.commit { $0.count += 1 }
        recorder.close()
        #expect(folder.names.sorted() == ["run.1.jsonl", "run.jsonl"])
        let newest = try Journal.open(folder.path("run.jsonl"), access: .random)
        #expect(try newest.start == old.lastCommit && newest.lastCommit.rawValue == store.version)
        for name in folder.names { try TemporaryJournal().verify(at: folder.path(name)) }
    }
}
