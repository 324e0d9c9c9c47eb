# Five rules of a shop, asked of one of its agent's runs: each holds after every message.
#
#   state-inspect import messages runs.json -o runs.jsonl
#   state-inspect check runs.jsonl --invariants shop-rules.jq --arg run run-20

# A call has its message to itself: no second call, and no words to the user.
def one_thing_at_a_time:
  [.[$run].messages[]? | select(.tool_calls? // [] | length > 0)
   | (.tool_calls | length) == 1 and (.content // "") == ""] | all;

# The user is found before an order or a user is looked at or changed.
def user_is_found_first:
  (.[$run].messages // []) as $messages
  | [$messages | to_entries[] | .key as $at | .value.tool_calls? // [] | .[].function.name
     | select(test("order|user_(details|address)"))
     | [$messages[:$at][] | select(.role == "tool" and (.name | startswith("find_user_id"))).content
        | startswith("Error") | not] | any] | all;

# The calls that change an order, each with the order as a tool last showed it before.
def actions($messages):
  $messages | to_entries[] | .key as $at | .value.tool_calls? // [] | .[].function
  | select(.name | test("^(cancel|modify|return|exchange)_.*order"))
  | {name} + (.arguments | fromjson? // {})
  | . + {order: (.order_id as $id | first(
      $messages[:$at] | reverse[] | select(.role == "tool").content | fromjson? | objects | select(.order_id == $id)) // {})};

# Only a pending order is cancelled or modified, only a delivered one returned or exchanged, and the status was looked up.
def status_is_right:
  [actions(.[$run].messages // [])
   | .name as $name | .order.status // ""
   | if $name | test("pending") then startswith("pending") else . == "delivered" end] | all;

# What is refunded goes back the way it was paid, or to a gift card.
def refund_goes_back:
  [actions(.[$run].messages // []) | select(.name | startswith("return"))
   | .order.payment_history[0].payment_method_id? == .payment_method_id
     or (.payment_method_id // "" | startswith("gift_card"))] | all;

# The items of an order are changed or exchanged once.
def items_change_once:
  (.[$run].messages // []) as $messages
  | [$messages | to_entries[] | .key as $at | .value.tool_calls? // [] | .[].function
     | select(.name | test("_order_items$") and (startswith("return") | not))
     | select([$messages[$at + 1] // {} | .content // "" | startswith("Error")] | any | not)
     | .arguments | fromjson? | .order_id] | length == (unique | length);
