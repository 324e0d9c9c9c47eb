public import JSONCore

/// The `journal` record, the first line of a file: what this run is.
public struct JournalHeader: Sendable, Equatable {
    /// The version of the format that this package reads and writes.
    public static let currentVersion = 1

    /// One free label of a run, as `branch` or `device`.
    public struct Label: Sendable, Equatable {
        /// What is labelled.
        public var name: String
        /// What it says.
        public var value: String

        /// Creates a label.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether both are the same bytes.
        public static func == (a: Label, b: Label) -> Bool {
            UTF8Order.equal(a.name, b.name) && UTF8Order.equal(a.value, b.value)
        }
    }

    /// The format's version.
    public var version: Int
    /// Distinguishes runs, and is shared by the segments of one: any string, a UUID from this package's recorder.
    public var id: String
    /// When the run began.
    public var time: Timestamp
    /// The app's name.
    public var app: String?
    /// The app's build.
    public var build: String?
    /// What wrote the journal.
    public var recorder: String
    /// Free labels.
    public var labels: [Label]
    /// For a segment: the last commit before it.
    public var after: CommitNumber?

    /// Describes a run.
    public init(
        id: String = JournalHeader.freshID(), time: Timestamp = .now(), app: String? = nil, build: String? = nil,
        recorder: String, labels: [Label] = [], after: CommitNumber? = nil, version: Int = currentVersion
    ) {
        self.version = version
        self.id = id
        self.time = time
        self.app = app
        self.build = build
        self.recorder = recorder
        self.labels = labels
        self.after = after
    }

    /// A random UUID (RFC 9562, version 4), in lower case.
    public static func freshID() -> String {
        var generator = SystemRandomNumberGenerator()
        let high = (generator.next() as UInt64) & ~0xF000 | 0x4000
        let low = (generator.next() as UInt64) & ~(0b11 << 62) | (0b10 << 62)
        let digits = Array((hexadecimal(high) + hexadecimal(low)).utf8)
        var text: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension JournalHeader {
    /// Decodes a `journal` record; members that it does not know are ignored.
    public init(_ object: JSONObject) throws(RecordFault) {
        let members = RecordMembers(object: object)
        var labels: [Label] = []
        if members.isPresent("labels") {
            for (name, value) in try members.members("labels") {
                guard case .string(let text) = value else {
                    throw RecordFault(member: "labels/\(name)", expected: "a string")
                }
                labels.append(Label(name: name, value: text))
            }
        }
        self.init(
            id: try members.string("id"), time: try members.time(), app: try members.optionalString("app"),
            build: try members.optionalString("build"), recorder: try members.string("recorder"), labels: labels,
            after: try members.optionalCommit("after"), version: try members.integer("version"))
    }

    /// The position before the first commit, as a `journal` record says by `after`; a null is as good as none.
    package static func start(_ object: JSONObject) throws(RecordFault) -> CommitNumber {
        try RecordMembers(object: object).optionalCommit("after") ?? .zero
    }
}

extension LineBuilder {
    /// Writes the `journal` record, the first line of a file.
    public mutating func journal(_ header: JournalHeader) {
        begin(.journal, seq: header.after ?? .zero)
        member("version", integer: header.version)
        member("id", string: header.id)
        time(header.time)
        if let app = header.app { member("app", string: app) }
        if let build = header.build { member("build", string: build) }
        member("recorder", string: header.recorder)
        if !header.labels.isEmpty {
            key("labels")
            var separator: StaticString = "{"
            for label in header.labels {
                literal(separator)
                string(label.name)
                literal(":")
                string(label.value)
                separator = ","
            }
            literal("}")
        }
        if let after = header.after { member("after", integer: after.rawValue) }
        endRecord()
    }
}
