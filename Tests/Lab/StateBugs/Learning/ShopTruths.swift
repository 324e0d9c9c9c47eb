/// What is true of the shop, by its source, at every position and from each to the next.
///
/// The list was written before anything was learned, so that what is found of it says something.
enum ShopTruths {
    static let conditions = [
        ".cart.percent >= 0 and .cart.percent <= 60",
        ".cart.total >= 0",
        ".cart.total == (([.cart.items[] | .price * .quantity] | add // 0) * (100 - .cart.percent) / 100 | floor)",
        "all(.cart.items[]; .quantity >= 1)",
        "all(.cart.items[]; .price >= 1)",
        "[.cart.items[].id] | length == (unique | length)",
        #".till.step | IN("away", "choosing", "paying")"#,
        ".till.amount >= 0",
        #".till.problem | IN(null, "declined")"#,
        "$old == null or .till.refusals >= $old.till.refusals",
        "[.orders.list[].number] | . == (sort | unique)",
        ".orders.next == (.orders.list | length) + 1",
        "all(.orders.list[]; .fee | IN(3, 7))",
        #"all(.orders.list[]; .status | IN("paid", "shipped", "cancelled"))"#,
        ".loyalty.points == .loyalty.spent",
        "all(.warehouse.stock[]; . >= 0)",
        ".session.user != null or .session.voucher == null",
        ".post.letters == (.post.sent | length)",
        #"$old == null or $old.till.step != "away" or .till.step != "paying""#,
        #"$old == null or $old.loyalty.level != "gold" or .loyalty.level == "gold""#,
    ]
}
