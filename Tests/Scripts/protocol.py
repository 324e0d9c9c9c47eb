# Holds messages of the debug adapter against the schema of its protocol: protocol.py SCHEMA MESSAGES
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
validators = {}
def validator(name):
    if name not in validators:
        part = {"$ref": "#/definitions/" + name, "definitions": schema["definitions"]}
        validators[name] = jsonschema.Draft4Validator(part)
    return validators[name]
count = 0
for message in json.load(open(sys.argv[2])):
    word = message.get("event") or message.get("command") or ""
    name = word[:1].upper() + word[1:]
    if message["type"] == "event": name += "Event"
    elif message["success"]: name += "Response"
    else: name = "ErrorResponse"
    if name not in schema["definitions"]:
        print("no definition of", name, json.dumps(message)[:300])
        count += 1
        continue
    for error in validator(name).iter_errors(message):
        print(name, list(error.path), error.message[:300], json.dumps(message)[:300])
        count += 1
print("invalid" if count else "valid")
sys.exit(1 if count else 0)
