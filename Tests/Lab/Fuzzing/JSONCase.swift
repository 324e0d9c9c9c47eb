import JSONCore

/// A JSON text: what is read of it is written, and read again as the same.
struct JSONCase {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func run() {
        let value: JSONValue
        do throws(JSONError) { value = try JSONParser.parse(bytes) } catch {
            require((0...bytes.count).contains(error.offset), "an error that lies nowhere")
            return
        }
        for style in [JSONWriter.Style.compact, .pretty(indent: 2)] {
            let text = value.text(style)
            guard let again = try? JSONParser.parse(Array(text.utf8)) else { fatalError("not JSON: \(text)") }
            require(again == value, "other than it was: \(text)")
            require(again.text(style) == text, "written otherwise: \(text)")
        }
        // Members that are held in ascending order are the same members.
        guard let sorted = try? JSONParser.parse(bytes, order: .ascending) else { fatalError("not JSON in order") }
        require(sorted == value, "another value in order")
    }
}
