import StateInspectCLI

/// The command `state-inspect`; everything it does is in `StateInspectCLI`.
@main
struct EntryPoint {
    static func main() {
        StateInspect.main()
    }
}
