# What the shop derives from its state: the same values as the derived values of samples/shop, for 'state-inspect derived --definitions'.

def isLiked($id): .likes.hearts[$id] // {} | (.completed // .loading // {}).content.isFilled // false;

def greeting: if .session.user then "Hello, \(.session.user.name)" else "Sign in" end;

def results: .search as $text | .catalogue as $c
    | [$c.order[] | $c.products[.].title | select(ascii_downcase | contains($text | ascii_downcase))];

def neighbours: .catalogue as $c | $c.products[$c.shown // ""].shelf as $shelf
    | [if $shelf then $c.shelves[$shelf][] else empty end | select(. != $c.shown) | $c.products[.].title];

def listHearts: . as $shop | [.catalogue.order[] as $id | select($shop | isLiked($id)) | $shop.catalogue.products[$id].title];

def detailHeart: .catalogue.shown as $id | if $id then isLiked($id) else false end;

def badge: [.cart.items[].quantity] | add // 0;

def total: "€ \(.cart.total)";

def canCheckOut: (.cart.items | length) > 0 and .cart.total >= 0;

def unread: [.feed.entries[] | select(.isRead | not)] | length;
