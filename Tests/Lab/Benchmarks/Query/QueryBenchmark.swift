import JSONCore
import Platform
import QueryLanguage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What one evaluation costs, here and in `jq`, on the same programs and inputs.
struct QueryBenchmark {
    private static let method = """
        Per evaluation, in microseconds of processor time; best of several rounds.
        Ours: the compiled query on the parsed input, again and again, in this process; every output is taken.
        jq: 'range(N) as $i | (PROGRAM) | empty' on the input, less the same with '.' for the program, by N; so neither start,
        nor parsing, nor printing counts. Compile: once per query, here only.
        """

    /// How long what is measured takes at least, in seconds.
    private static let span = 0.1

    let rivals: [String]
    let filter: String?

    /// - Parameters:
    ///   - rivals: the programs to compare with.
    ///   - filter: a part of the names of the cases to run; nil for all.
    init(rivals: [String], filter: String?) {
        self.rivals = rivals
        self.filter = filter
    }

    func run() throws {
        let folder = "/tmp/state-inspect-query-\(getpid())"
        mkdir(folder, 0o700)
        var files: [String] = []
        defer {
            for file in files { unlink(file) }
            rmdir(folder)
        }
        for input in QueryCase.Input.allCases {
            files.append("\(folder)/\(input.rawValue).json")
            try write(input.value, to: "\(folder)/\(input.rawValue).json")
        }
        print(Self.method)
        print(line("case", "compile", "ours", rivals.flatMap { [String($0.suffix(14)), "ratio"] }))
        for test in QueryCase.all where filter.map({ test.name.contains($0) }) ?? true {
            let (compile, ours) = try LargeStack.run { Result { try measure(test) } }.get()
            let columns = rivals.flatMap { rival -> [String] in
                guard let theirs = measure(test, rival, "\(folder)/\(test.input.rawValue).json") else {
                    return ["fails", ""]
                }
                return [Figure.text(theirs * 1e6), Figure.text(theirs / ours) + "×"]
            }
            print(line(test.name, Figure.text(compile * 1e6), Figure.text(ours * 1e6), columns))
        }
    }

    private func line(_ name: String, _ compile: String, _ ours: String, _ columns: [String]) -> String {
        Figure.column(name, 20, right: false) + Figure.column(compile, 9) + Figure.column(ours, 11)
            + columns.map { Figure.column($0, 15) }.joined()
    }

    private func write(_ value: JSONValue, to path: String) throws {
        var writer = JSONWriter()
        writer.write(value)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw Unwritable(path: path) }
        defer { close(file) }
        guard writer.bytes.withUnsafeBytes({ put($0, file) }) == writer.bytes.count else {
            throw Unwritable(path: path)
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer, _ file: Int32) -> Int {
        #if canImport(Glibc)
        Glibc.write(file, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(file, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(file, bytes.baseAddress, bytes.count)
        #endif
    }

    private struct Unwritable: Error {
        let path: String
    }

    /// Seconds to compile, and to evaluate once.
    private func measure(_ test: QueryCase) throws -> (compile: Double, evaluate: Double) {
        let query = try Query(test.program)
        let input = test.input.value
        let evaluate = try ProcessorTime.best(of: 5, span: Self.span) {
            try query.evaluate(input) { _ in true }
        }
        let compile = try ProcessorTime.best(of: 3, span: Self.span / 10) { _ = try Query(test.program) }
        return (compile, evaluate)
    }

    /// Seconds that a rival takes for one evaluation.
    private func measure(_ test: QueryCase, _ rival: String, _ file: String) -> Double? {
        var count = 1
        while count < 1 << 24 {
            guard let used = spent(rival, test.program, count, file) else { return nil }
            guard used > 5 * Self.span else {
                count *= used < Self.span ? 8 : 2
                continue
            }
            let whole = (0..<2).compactMap { _ in spent(rival, test.program, count, file) }.reduce(used, min)
            let idle = (0..<3).compactMap { _ in spent(rival, ".", count, file) }.min() ?? 0
            return (whole - idle) / Double(count)
        }
        return nil
    }

    private func spent(_ rival: String, _ program: String, _ count: Int, _ file: String) -> Double? {
        ProcessorTime.ofProgram([rival, "range(\(count)) as $i | (\(program)) | empty", file])
    }
}
