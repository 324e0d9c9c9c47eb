import JSONCore

extension OpenLeaves {
    final class Node {
        enum Content {
            case leaf(Int)
            /// An object's members, ascending; nil where nothing below is open.
            case object([Member])
            /// An array's elements, as many as it has; nil where nothing below is open.
            case array(ChunkedList<Node?>)
        }

        struct Member {
            let key: String
            var node: Node?
        }

        var content: Content

        init(_ content: Content) { self.content = content }

        static func empty(_ shape: JSONValue) -> Node {
            if case .array(let elements) = shape {
                return Node(.array(ChunkedList(repeatElement(nil, count: elements.count))))
            }
            return Node(.object([]))
        }

        func child(_ segment: String) -> Node? {
            switch content {
            case .leaf: return nil
            case .object(let members):
                let place = Self.place(of: segment, in: members)
                return place.isThere ? members[place.index].node : nil
            case .array(let elements):
                guard let index = Self.index(segment, in: elements.count - 1) else { return nil }
                return elements[index]
            }
        }

        /// Whether an open leaf is here or below; the path of the first one is appended.
        func reachesLeaf(_ path: inout [String]) -> Bool {
            func reaches(_ child: Node?, at segment: @autoclosure () -> String) -> Bool {
                guard let child else { return false }
                path.append(segment())
                if child.reachesLeaf(&path) { return true }
                path.removeLast()
                return false
            }
            return switch content {
            case .leaf: true
            case .object(let members): members.contains { reaches($0.node, at: $0.key) }
            case .array(let elements): elements.elements.enumerated().contains { reaches($1, at: String($0)) }
            }
        }

        func set(_ child: Node?, at segment: String) {
            // Taken out of the node while it is changed, so that nothing is copied.
            switch content {
            case .leaf: return
            case .object(var members):
                content = .object([])
                let place = Self.place(of: segment, in: members)
                if place.isThere {
                    members[place.index].node = child
                } else if let child {
                    members.insert(Member(key: segment, node: child), at: place.index)
                }
                content = .object(members)
            case .array(var elements):
                guard let index = Self.index(segment, in: elements.count - 1) else { return }
                content = .object([])
                elements[index] = child
                content = .array(elements)
            }
        }

        /// An index up to a last one; `-` is that last one (RFC 6902 §4.1).
        static func index(_ segment: String, in last: Int) -> Int? {
            if segment == "-" { return last < 0 ? nil : last }
            guard let index = JSONPointer.arrayIndex(segment), index <= last else { return nil }
            return index
        }

        private static func place(of key: String, in members: [Member]) -> (index: Int, isThere: Bool) {
            let place = members.prefixCount { UTF8Order.isLess($0.key, key) }
            return (place, place < members.count && UTF8Order.equal(members[place].key, key))
        }
    }
}
