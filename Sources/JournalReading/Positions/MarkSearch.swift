import Diagnostics
import JSONCore
import JournalFormat

struct MarkSearch {
    /// No more texts are kept to find the nearest among.
    private static let keptTexts = 1000

    private let text: String
    private let number: Int?
    private var texts: Set<ByteName> = []

    private(set) var count = 0
    private(set) var found: CommitNumber?
    /// Where the first one stands that contains the text with `#` and the number, which may be what was meant.
    private(set) var literal: CommitNumber?

    /// A search for the first mark with a text, or for that of a number from 1.
    init(_ text: String, _ number: Int?) {
        self.text = text
        self.number = number
    }

    mutating func read(_ journal: Journal) throws(JournalError) {
        var reader = journal.records(recover: journal.recovers)
        var marks = RecordFilter(touching: .nothing, kinds: .mark)
        while let line = try reader.next(matching: &marks) {
            let mark = try line.decode { (object) throws(RecordFault) in try MarkRecord(object) }
            note(mark.text, at: line.seq)
        }
    }

    private mutating func note(_ mark: String, at commit: CommitNumber) {
        guard mark.utf8.contains(text.utf8) else {
            if count == 0, texts.count < Self.keptTexts {
                texts.insert(ByteName(mark))
                texts.formUnion(mark.split(separator: " ").map { ByteName(String($0)) })
            }
            return
        }
        count += 1
        if count == number ?? 1 { found = commit }
        if let number, literal == nil, mark.utf8.contains("\(text)#\(number)".utf8) { literal = commit }
    }

    /// The text of a mark, or a word of one, that is most like the one that was asked for.
    var nearest: String? { SimilarNames.nearest(to: text, in: texts.map(\.text)).first }
}
