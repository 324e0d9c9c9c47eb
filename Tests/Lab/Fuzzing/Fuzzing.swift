import Foundation

/// A program for libFuzzer: gives whatever it makes up to one of the readers of foreign bytes.
///
/// README.md beside this file says how it is built and run. It is built only where `STATE_INSPECT_FUZZ` is set, because the
/// library that drives it comes with a sanitizer.
@main
enum Fuzzing {
    /// What the inputs are given to, named by the environment's `STATE_INSPECT_FUZZ_TARGET`.
    private static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["STATE_INSPECT_FUZZ_TARGET"] ?? FuzzTarget.query.rawValue
        guard let target = FuzzTarget(rawValue: name) else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("no target '\(name)'; there are \(names)")
        }
        return target
    }()

    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "--prepare" { return try prepare(arguments[2]) }
        var count = Int32(arguments.count)
        var texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &texts) { bytes, length in
                Fuzzing.run(bytes, length)
                return 0
            })
    }

    /// Writes the seeds of every target into a folder.
    private static func prepare(_ folder: String) throws {
        for target in FuzzTarget.allCases {
            try target.writeSeeds(to: URL(fileURLWithPath: folder).appendingPathComponent(target.rawValue))
        }
    }

    private static func run(_ bytes: UnsafePointer<UInt8>?, _ length: Int) {
        target.run([UInt8](UnsafeBufferPointer(start: bytes, count: length)))
    }
}

/// libFuzzer's own entry, for programs that have a `main`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ texts: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
