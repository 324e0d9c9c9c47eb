import Foundation
import StateStore
import TestSupport

/// A state with one property of each kind that the encoder tells apart.
struct World: Codable, Equatable {
    struct Item: Codable, Equatable, Identifiable, Sendable {
        var id: Int
        var flag = false
        var name: String
        var parts: [Part] = []
        var note: String?
    }

    struct Part: Codable, Equatable, Sendable {
        var weight: Double
        var mark: UInt8
    }

    /// Has a scalar member `id` and no `Identifiable`.
    struct Row: Codable, Equatable {
        var id: String
        var value: Int
    }

    /// An entity of a table, with a reference behind it.
    struct Entry: Codable, Equatable, Identifiable, Sendable {
        var id: Place
        var shape: Shape
        var words: [String] = []
    }

    struct Place: Codable, Hashable, Sendable {
        var x: Int
        var y: Int
    }

    indirect enum Shape: Codable, Equatable, Sendable {
        case none
        case circle(radius: Double)
        case group(Shape, Shape)
        case label(String, at: Place)
    }

    enum Color: String, Codable, Hashable, CaseIterable { case red, green, blue }

    /// Writes its case as a member, so that the two cases look alike.
    enum Tagged: Codable, Equatable {
        case left(Int)
        case right(Int)
        enum Keys: String, CodingKey { case kind, value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let value = try container.decode(Int.self, forKey: .value)
            self = try container.decode(String.self, forKey: .kind) == "left" ? .left(value) : .right(value)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            switch self {
            case .left(let value):
                try container.encode("left", forKey: .kind)
                try container.encode(value, forKey: .value)
            case .right(let value):
                try container.encode("right", forKey: .kind)
                try container.encode(value, forKey: .value)
            }
        }
    }

    /// A class that no value encodes as such.
    final class Box {
        var value: Int
        var list: [Item]
        init(value: Int, list: [Item]) { (self.value, self.list) = (value, list) }
    }

    /// Its bytes tell nothing of what the box holds, so it is encoded each time.
    struct Holder: Codable, Equatable {
        var box: Box
        var id: Int
        var text: String

        enum CodingKeys: String, CodingKey { case id, text, value, list }

        init(box: Box, id: Int = 0, text: String = "") { (self.box, self.id, self.text) = (box, id, text) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            box = Box(
                value: try container.decode(Int.self, forKey: .value),
                list: try container.decode([Item].self, forKey: .list))
            id = try container.decode(Int.self, forKey: .id)
            text = try container.decode(String.self, forKey: .text)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(text, forKey: .text)
            try container.encode(box.value, forKey: .value)
            try container.encode(box.list, forKey: .list)
        }

        static func == (left: Holder, right: Holder) -> Bool {
            left.id == right.id && left.text == right.text && left.box.value == right.box.value
                && left.box.list == right.box.list
        }
    }

    var count = 0
    var tiny: Int8 = 0
    var flag = false
    var ratio = 0.5
    var half: Float = 0.5
    var title = ""
    var note: String?
    var doubly: Int??
    var date = Date(timeIntervalSince1970: 0)
    var data = Data()
    var url = URL(string: "https://example.org/a")
    var price = Decimal(1)
    var shape = Shape.none
    var tagged = Tagged.left(0)
    var items: [Item] = []
    var rows: [Row] = []
    var numbers: [Int] = []
    var words: ContiguousArray<String> = []
    var ratios: [Double] = []
    var grid: [[Int]] = []
    var table = EntityTable<Item>()
    var rowTable = EntityTable<Entry>()
    var byName: [String: Item] = [:]
    var byNumber: [Int: Part] = [:]
    var byColor: [Color: [String]] = [:]
    var byPlace: [Place: Int?] = [:]
    var byID: [UUID: Shape] = [:]
    var tags: Set<String> = []
    var places: Set<Place> = []
    var boxes: [Holder] = []
    var boxByName: [String: Holder] = [:]
    var lone = Holder(box: Box(value: 0, list: []))
}

/// Changes a state at random.
struct RandomWorld {
    var generator: SeededGenerator
    /// Whether numbers are such that each equals itself, so that `==` tells states apart.
    var isTame = false
    private var nextID = 100

    init(seed: UInt64, isTame: Bool = false) {
        generator = SeededGenerator(seed: seed)
        self.isTame = isTame
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &generator) }

    mutating func text() -> String {
        let texts = [
            "", "a", "b", "é", "e\u{301}", "x/y~z", "a \"quoted\"\nline", "a long text that is in no small string", "😀",
        ]
        // A fresh buffer half of the time, so that equal texts have different bytes.
        let text = texts[below(texts.count)]
        return below(2) == 0 ? text : String(Array(text))
    }

    mutating func real() -> Double {
        [0, -0.0, 1, 1.5, 0.1, 1e300, .infinity, -.infinity, .nan][below(isTame ? 8 : 9)]
    }

    /// One that follows from the seed.
    mutating func uuid() -> UUID {
        var bytes = (0..<16).map { _ in UInt8(below(256)) }
        return bytes.withUnsafeMutableBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    mutating func part() -> World.Part { World.Part(weight: real(), mark: UInt8(below(3))) }

    mutating func item() -> World.Item {
        nextID += 1
        return World.Item(
            id: nextID, flag: below(2) == 0, name: text(), parts: (0..<below(3)).map { _ in part() },
            note: below(2) == 0 ? nil : text())
    }

    mutating func shape(_ depth: Int = 3) -> World.Shape {
        switch below(depth > 0 ? 4 : 3) {
        case 0: .none
        case 1: .circle(radius: real())
        case 2: .label(text(), at: World.Place(x: below(3), y: below(3)))
        default: .group(shape(depth - 1), shape(depth - 1))
        }
    }

    mutating func holder() -> World.Holder {
        nextID += 1
        return World.Holder(box: World.Box(value: below(3), list: [item()]), id: nextID, text: text())
    }

    /// Inserts, removes, moves, duplicates or rebuilds elements of an array.
    mutating func edit<List: RangeReplaceableCollection & MutableCollection>(
        _ list: inout List, _ make: (inout RandomWorld) -> List.Element
    ) where List.Index == Int {
        switch below(7) {
        case 0: list.insert(make(&self), at: below(list.count + 1))
        case 1: list.append(make(&self))
        case 2 where !list.isEmpty: list.remove(at: below(list.count))
        case 3 where !list.isEmpty:
            let element = list.remove(at: below(list.count))
            list.insert(element, at: below(list.count + 1))
        case 4 where !list.isEmpty: list[below(list.count)] = make(&self)
        case 5 where below(4) == 0: list.removeAll()
        case 6: list = List(list.shuffled(using: &generator))
        default: for _ in 0..<4 { list.append(make(&self)) }
        }
    }

    /// Puts entities in, changes some and takes some away.
    mutating func edit(_ table: inout EntityTable<World.Item>) {
        for _ in 0...below(4) {
            let id = below(40)
            switch below(4) {
            case 0: table.remove(id)
            case 1: table[id]?.name = text()
            case 2: if var item = table[id] { edit(&item.parts) { $0.part() }; table[id] = item }
            default:
                var item = item()
                item.id = id
                table.upsert(item)
            }
        }
    }

    /// One random change.
    mutating func change(_ world: inout World) {
        switch below(4) {
        case 0: changeScalar(&world)
        case 1: changeList(&world)
        case 2: changeTable(&world)
        default: changeElement(&world)
        }
    }

    private mutating func changeScalar(_ world: inout World) {
        switch below(14) {
        case 0: world.count = below(3)
        case 1: world.tiny = Int8(below(3))
        case 2: world.flag.toggle()
        case 3: world.ratio = real()
        case 4: world.half = Float(real())
        case 5: world.title = text()
        case 6: world.note = below(2) == 0 ? nil : text()
        case 7: world.doubly = [nil, 1, .some(nil)][below(isTame ? 2 : 3)]
        case 8: world.date = Date(timeIntervalSince1970: Double(below(1_000)) / 7)
        case 9: world.data = Data((0..<below(20)).map(UInt8.init))
        case 10: world.price = Decimal(below(5)) / 3
        case 11: world.shape = shape()
        case 12: world.tagged = below(2) == 0 ? .left(below(2)) : .right(below(2))
        default: world.url = URL(string: "https://example.org/\(below(3))")
        }
    }

    private mutating func changeList(_ world: inout World) {
        switch below(7) {
        case 0: edit(&world.items) { $0.item() }
        case 1: edit(&world.rows) { World.Row(id: "\($0.below(1_000_000))", value: $0.below(3)) }
        case 2: edit(&world.numbers) { $0.below(4) }
        case 3: edit(&world.words) { $0.text() }
        case 4: edit(&world.ratios) { $0.real() }
        case 5: edit(&world.grid) { generator in (0..<generator.below(3)).map { _ in generator.below(3) } }
        default: edit(&world.boxes) { $0.holder() }
        }
    }

    private mutating func changeTable(_ world: inout World) {
        switch below(10) {
        case 0: world.byName[text()] = below(3) == 0 ? nil : item()
        case 1: world.byNumber[below(30)] = below(3) == 0 ? nil : part()
        case 2: world.byColor[World.Color.allCases[below(3)], default: []].append(text())
        case 3: world.byPlace[World.Place(x: below(2), y: below(2))] = .some(below(2) == 0 ? nil : below(3))
        case 4: world.byID[uuid()] = shape()
        case 5: world.tags.formSymmetricDifference([text(), text()])
        case 6: world.places.formSymmetricDifference([World.Place(x: below(4), y: below(4))])
        case 7: edit(&world.table)
        case 8:
            let place = World.Place(x: below(6), y: below(6))
            world.rowTable[place] = below(3) == 0 ? nil : World.Entry(id: place, shape: shape(1), words: [text()])
        default: world.boxByName[text()] = below(3) == 0 ? nil : holder()
        }
    }

    private mutating func changeElement(_ world: inout World) {
        switch below(7) {
        case 0 where !world.items.isEmpty: world.items[below(world.items.count)].name = text()
        case 1 where !world.items.isEmpty:
            let place = below(world.items.count)
            edit(&world.items[place].parts) { $0.part() }
        case 2 where !world.rows.isEmpty: world.rows[below(world.rows.count)].value += 1
        case 3 where !world.boxes.isEmpty: world.boxes[below(world.boxes.count)].box.value += 1
        case 4: world.lone.box.value = below(3)
        case 5: edit(&world.lone.box.list) { $0.item() }
        default: if let name = world.byName.keys.min() { world.byName[name]?.flag.toggle() }
        }
    }
}
