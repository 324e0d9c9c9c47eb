import Foundation

/// A journal that is repaired: what comes out is whole, and is repaired to itself.
struct RepairCase {
    private let journal: [UInt8]

    init(_ bytes: [UInt8]) { journal = bytes }

    func run() {
        let path = FuzzRun.write(journal, to: "journal")
        let (once, twice) = ("\(FuzzRun.folder)/repaired", "\(FuzzRun.folder)/again")
        try? FileManager.default.removeItem(atPath: once)
        let verified = FuzzRun(["verify", path])
        let repaired = FuzzRun(["verify", path, "--repair", once])
        guard FileManager.default.fileExists(atPath: once) else {
            require(repaired.status == 3, "nothing was written: \(repaired)")
            return
        }
        let whole = FuzzRun(["verify", once])
        require(whole.status == 0, "repaired it is not whole: \(whole)")
        if verified.status == 0 {
            require(FileManager.default.contents(atPath: once) == Data(journal), "whole, and changed: \(repaired)")
        }
        _ = FuzzRun(["verify", once, "--repair", twice])
        require(FileManager.default.contentsEqual(atPath: once, andPath: twice), "repaired twice it is another")
    }
}
