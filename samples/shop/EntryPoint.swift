import Foundation

/// Writes the journal of each story into a folder: `swift run shop [FOLDER]`, into `samples` unless told.
///
/// `swift run shop --play` plays one story as an app that asks for no recorder: `STATE_JOURNAL=FOLDER` records it all the same.
@main
enum EntryPoint {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.elementsEqual(["--play"]) { return await play() }
        guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
            complain("usage: shop [FOLDER | --play]")
            exit(2)
        }
        let folder = arguments.first ?? "samples"
        for story in Story.allCases {
            do {
                try await story.record(in: folder)
                print("\(folder)/\(story.fileName)")
            } catch {
                complain("shop: '\(folder)/\(story.fileName)': \(error)")
                exit(1)
            }
        }
    }

    private static func play() async {
        do {
            try await Story.checkout.play()
        } catch {
            complain("shop: \(error)")
            exit(1)
        }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
