internal import JSONCore

/// Source: Aho and Corasick, "Efficient String Matching: An Aid to Bibliographic Search", CACM 18 (1975).
///
/// The tree of the patterns is laid out level by level, so that the children of a node have consecutive numbers,
/// ascending by their bytes.
///
/// - Complexity: O(n) a search, but for the matches that the caller asks for; memory is 24 bytes for each byte of the
///   patterns that is not shared.
struct AhoCorasick: Sendable {
    enum Continuation {
        case shorter
        case onwards
        case stop
    }

    private struct TrieNode {
        let label: UInt8
        let depth: Int32
        var firstChild: Int32 = 0
        /// The node of the longest proper suffix that is in the tree.
        var fail: Int32 = 0
        /// The pattern that ends here, by its place in the list; negative where none does.
        var pattern: Int32 = -1
        /// The nearest node along the suffixes at which a pattern ends, 0 where there is none.
        var shorter: Int32 = 0
    }

    /// The root, then level by level; one more ends the children of the last.
    private var nodes: [TrieNode]
    private var first: [Int32]

    /// A search for patterns; empty ones are never found, and of equal ones the first.
    init(_ patterns: [[UInt8]]) {
        let order = patterns.indices.filter { !patterns[$0].isEmpty }.sorted { left, right in
            patterns[left] == patterns[right] ? left < right : patterns[left].lexicographicallyPrecedes(patterns[right])
        }
        nodes = [TrieNode(label: 0, depth: 0)]
        first = Array(repeating: 0, count: 256)
        grow(patterns, order)
        for child in children(of: 0) { first[Int(nodes[child].label)] = Int32(child) }
        link()
    }

    var isEmpty: Bool { nodes.count == 2 }

    /// Makes the nodes: those of one level have the patterns, in ascending order, that begin alike.
    private mutating func grow(_ patterns: [[UInt8]], _ order: [Int]) {
        var ranges: [Range<Int>] = [order.startIndex..<order.endIndex]
        var node = 0
        while node < nodes.count {
            var range = ranges[node]
            let depth = Int(nodes[node].depth)
            while let index = range.first, patterns[order[index]].count == depth {
                if nodes[node].pattern < 0 { nodes[node].pattern = Int32(order[index]) }
                range = (index + 1)..<range.upperBound
            }
            nodes[node].firstChild = Int32(nodes.count)
            while let start = range.first {
                let byte = patterns[order[start]][depth]
                let end = range.first { patterns[order[$0]][depth] != byte } ?? range.upperBound
                nodes.append(TrieNode(label: byte, depth: Int32(depth + 1)))
                ranges.append(start..<end)
                range = end..<range.upperBound
            }
            node += 1
        }
        nodes.append(TrieNode(label: 0, depth: 0))
        nodes[nodes.count - 1].firstChild = Int32(nodes.count - 1)
    }

    private mutating func link() {
        for parent in 0..<(nodes.count - 1) {
            let fail = Int(nodes[parent].fail)
            for child in children(of: parent) {
                let next = parent == 0 ? 0 : step(from: fail, nodes[child].label)
                nodes[child].fail = Int32(next)
                nodes[child].shorter = nodes[next].pattern >= 0 ? Int32(next) : nodes[next].shorter
            }
        }
    }

    private func children(of node: Int) -> Range<Int> { Int(nodes[node].firstChild)..<Int(nodes[node + 1].firstChild) }

    @inline(__always)
    private func step(from node: Int, _ byte: UInt8) -> Int {
        var node = node
        while node != 0 {
            if let child = child(of: node, byte) { return child }
            node = Int(nodes[node].fail)
        }
        return Int(first[Int(byte)])
    }

    private func child(of node: Int, _ byte: UInt8) -> Int? {
        var range = children(of: node)
        while range.count > 4 {
            let middle = range.lowerBound + range.count / 2
            if nodes[middle].label > byte {
                range = range.lowerBound..<middle
            } else {
                range = middle..<range.upperBound
            }
        }
        return range.first { nodes[$0].label == byte }
    }

    /// Matches that end first come first, and of those that end at one byte the longest.
    func search(_ text: ByteView, _ found: (Range<Int>, Int) -> Continuation) {
        var node = 0
        for index in 0..<text.count {
            node = step(from: node, text[index])
            if node == 0 { continue }
            var match = nodes[node].pattern >= 0 ? node : Int(nodes[node].shorter)
            matches: while match != 0 {
                let start = index + 1 - Int(nodes[match].depth)
                switch found(start..<(index + 1), Int(nodes[match].pattern)) {
                case .shorter: match = Int(nodes[match].shorter)
                case .onwards: break matches
                case .stop: return
                }
            }
        }
    }

    func isAny(in text: ByteView) -> Bool {
        var isFound = false
        search(text) { _, _ in
            isFound = true
            return .stop
        }
        return isFound
    }
}
