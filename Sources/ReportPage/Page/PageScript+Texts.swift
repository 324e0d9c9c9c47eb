extension PageScript {
    /// Text: what may be shown, the order of names, pointers, values in short.
    static let texts = #"""
        // What acts on the order in which text is read, or is not seen, is shown as an escape, as the command does.
        const unsafeText = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{NChar}\ud800-\udfff]/gu;

        function visible(text) {
          text = String(text);
          if (/^[ -~]*$/.test(text)) return text;
          return text.replace(unsafeText, (found, at, whole) => {
            const before = whole.slice(Math.max(0, at - 2), at), after = whole.slice(at + 1, at + 3);
            if (/[\ufe0e\ufe0f]/.test(found) && /\p{Emoji}$/u.test(before)) return found;
            if (found === "\u200d" && /(\ufe0f|(?=[^\0-\xff])\p{Emoji})$/u.test(before) && /^(?=[^\0-\xff])\p{Emoji}/u.test(after)) return found;
            if (found === "\n") return "\\n";
            if (found === "\r") return "\\r";
            if (found === "\t") return "\\t";
            let escaped = "";
            for (let unit = 0; unit < found.length; unit++) {
              escaped += "\\u" + found.charCodeAt(unit).toString(16).padStart(4, "0");
            }
            return escaped;
          });
        }

        // Ascending order of UTF-8, which is that of code points; the one of JavaScript is that of UTF-16.
        function compareNames(left, right) {
          const count = Math.min(left.length, right.length);
          for (let at = 0; at < count; at++) {
            let a = left.charCodeAt(at), b = right.charCodeAt(at);
            if (a === b) continue;
            if (a >= 0xd800) a = a >= 0xe000 ? a - 0x800 : a + 0x2000;
            if (b >= 0xd800) b = b >= 0xe000 ? b - 0x800 : b + 0x2000;
            return a - b;
          }
          return left.length - right.length;
        }

        const sortedKeys = (object) => Object.keys(object).sort(compareNames);

        // RFC 6901.
        const pointer = (segments) =>
          segments.map((name) => "/" + String(name).replaceAll("~", "~0").replaceAll("/", "~1")).join("");

        const segmentsOf = (path) =>
          path === "" ? [] : path.slice(1).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

        // A string as the command prints it: only quotes, backslashes and control characters are escaped.
        function quoted(text) {
          return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
        }

        // The compact text of a value, as 'state' prints it.
        function textOf(value) {
          if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
          if (typeof value === "string") return quoted(value);
          if (value instanceof NumberText) return value.text;
          if (Array.isArray(value)) return "[" + value.map(textOf).join(",") + "]";
          return "{" + sortedKeys(value).map((key) => quoted(key) + ":" + textOf(value[key])).join(",") + "}";
        }

        // The beginning of that text, without making all of a large one.
        function preview(value, limit = 80) {
          let text = "";
          const append = (value) => {
            if (text.length > limit) return;
            if (value === null || typeof value !== "object" || value instanceof NumberText) {
              text += typeof value === "string" ? quoted(value.slice(0, limit + 1)) : textOf(value);
            } else if (Array.isArray(value)) {
              text += "[";
              for (let at = 0; at < value.length && text.length <= limit; at++) {
                if (at > 0) text += ",";
                append(value[at]);
              }
              text += "]";
            } else {
              text += "{";
              let isFirst = true;
              for (const key of Object.keys(value).length > 200 ? Object.keys(value) : sortedKeys(value)) {
                if (text.length > limit) break;
                text += (isFirst ? "" : ",") + quoted(key) + ":";
                isFirst = false;
                append(value[key]);
              }
              text += "}";
            }
          };
          append(value);
          return text.length > limit ? text.slice(0, limit) + "…" : text;
        }

        const clock = (time) => {
          const found = /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(time || "");
          return found ? found[1] : String(time || "");
        };

        const placeText = (at) => (at && typeof at.file === "string" ? at.file + (Number.isInteger(at.line) ? ":" + at.line : "") : "");

        const labelOf = (record) => record.name || (record.at && record.at.function) || "";

        // Counts have their thousands apart; the number of a commit is written as it is typed.
        const grouped = (count) => count.toLocaleString("en");

        const counted = (count, noun) => grouped(count) + " " + noun + (count === 1 ? "" : "s");

        // A sentence of the command, which does not group.
        const withGroups = (sentence) =>
          sentence.replace(/\b\d{4,}(?= (?:of|commits?|positions?|flips?|runs?|changes)\b)/g, (digits) => grouped(Number(digits)));

        // An argument for a shell: plain words as they are, others in quotes.
        function shellWord(text) {
          if (/^[A-Za-z0-9./\-_:,=+@%]+$/.test(text)) return text;
          if (visible(text) === text) return "'" + text.replaceAll("'", "'\\''") + "'";
          const escape = (character) => {
            if (visible(character) === character && character !== "'" && character !== "\\") return character.replace("%", "%%");
            return [...new TextEncoder().encode(character)].map((byte) => "\\" + byte.toString(8).padStart(3, "0")).join("");
          };
          return "\"$(printf '" + [...text].map(escape).join("") + "')\"";
        }

        function commandLine(run, name, operands, options = []) {
          const words = [run.about.name, ...operands];
          const isPlain = !words.some((word) => word.startsWith("-"));
          return ["state-inspect", name, ...(isPlain ? [...words, ...options] : [...options, "--", ...words])].map(shellWord).join(" ");
        }
        """#
}
