import Foundation

/// A program for libFuzzer: parses, compiles and evaluates whatever it is given.
///
/// It is built only where `STATE_INSPECT_FUZZ` is set, because the library that drives it comes with the sanitizer:
/// ```
/// export STATE_INSPECT_FUZZ=1
/// swift build -c release --product Fuzzing --scratch-path .build-fuzz -Xswiftc -sanitize=fuzzer,address
/// .build-fuzz/release/Fuzzing --prepare /tmp/fuzz
/// .build-fuzz/release/Fuzzing -dict=/tmp/fuzz/dictionary -timeout=20 -rss_limit_mb=1024 /tmp/fuzz/corpus
/// ```
/// An input that crashes it, hangs or takes too much memory is left in a file, to be given as the only argument again.
@main
enum Fuzzing {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "--prepare" {
            try Seeds.write(to: URL(fileURLWithPath: arguments[2]))
            return
        }
        var count = Int32(arguments.count)
        var texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &texts) { bytes, length in
                QueryCase(UnsafeRawBufferPointer(start: bytes, count: length)).run()
                return 0
            })
    }
}

/// libFuzzer's own entry, for programs that have a `main`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ texts: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
