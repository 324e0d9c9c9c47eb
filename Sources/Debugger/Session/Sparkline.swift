import JSONCore

/// A line of numbers, drawn in one row of text.
enum Sparkline {
    private static let levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The line of the numbers, lowest to highest; of more than fit, each column shows the last of its share.
    static func text(_ numbers: [Double], columns: Int) -> String {
        let numbers = numbers.filter(\.isFinite)
        guard columns > 0, let least = numbers.min(), let most = numbers.max() else { return "" }
        let width = min(columns, numbers.count)
        return (1...width).map { column in
            let number = numbers[numbers.count * column / width - 1]
            // Halves first: what lies between the largest numbers is not infinite.
            let share = most > least ? (number / 2 - least / 2) / (most / 2 - least / 2) : 0.5
            return levels[min(levels.count - 1, Int(share * Double(levels.count)))]
        }.joined()
    }
}
