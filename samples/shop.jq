# What the shop derives from its state: the same values as the derived values of samples/shop, for 'state-inspect derived --definitions'.

def greeting: if .session.user then "Hello, \(.session.user.name)" else "Sign in" end;

def listHearts: [.catalogue as $c | $c.order[] | $c.products[.] | select(.isLiked) | .title];

def detailHeart: .catalogue as $c | if $c.shown then $c.products[$c.shown].isLiked // false else false end;

def badge: [.cart.items[].quantity] | add // 0;

def total: "€ \(.cart.total)";

def canCheckOut: (.cart.items | length) > 0 and .cart.total >= 0;

def unread: [.feed.entries[] | select(.isRead | not)] | length;
