extension PageScript {
    /// Elements: made of names and texts, never of markup.
    static let elements = #"""
        const byId = (id) => document.getElementById(id);

        // Whether it is a telephone, which shows one view at a time and scrolls as a whole.
        const isNarrow = () => matchMedia("screen and (max-width: 900px)").matches;

        // An element with properties and children; texts are shown as they are, made visible.
        function element(name, properties = {}, ...children) {
          const made = document.createElement(name);
          for (const [key, value] of Object.entries(properties)) {
            if (value === undefined || value === null || value === false) continue;
            if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
            else if (key === "class") made.className = value;
            else made.setAttribute(key, value === true ? "" : value);
          }
          for (const child of children.flat()) {
            if (child === undefined || child === null || child === false) continue;
            made.append(child instanceof Node ? child : document.createTextNode(visible(child)));
          }
          return made;
        }

        const span = (name, ...children) => element("span", { class: name }, ...children);

        const button = (label, action, properties = {}) =>
          element("button", { type: "button", onclick: action, ...properties }, label);

        // A link into this page; a click moves there.
        function jumpLink(run, position, text, path = "") {
          return element("a", { href: hashOf(run, position, path), class: "jump" }, text);
        }

        function hashOf(run, position, path = "") {
          return "#" + (runs.length > 1 ? run.index + 1 + ":" : "") + position + encodeURI(path).replaceAll("#", "%23");
        }

        // The trace that a commit was made in: a link, if the page has an address for it.
        function traceLink({ trace, span: own }) {
          if (typeof trace !== "string") return null;
          const text = "trace " + preview(trace, 64).slice(1, -1);
          if (!about.traceURL) return span("dim", text);
          const part = (id) => () => encodeURIComponent(typeof id === "string" ? id : "");
          const href = about.traceURL.replaceAll("{trace}", part(trace)).replaceAll("{span}", part(own));
          return element("a", { class: "place", href, target: "_blank", rel: "noopener noreferrer" }, text);
        }

        // A place in the source: a link, if the page has an address for it.
        function placeLink(at, text = placeText(at)) {
          if (!text) return null;
          if (!about.sourceURL || !at || typeof at.file !== "string") return span("place", text);
          const path = about.sources && Object.hasOwn(about.sources, at.file) ? about.sources[at.file] : at.file;
          const file = path.split("/").map(encodeURIComponent).join("/");
          const href = about.sourceURL.replaceAll("{file}", () => file).replaceAll("{line}", String(Number(at.line) || 1));
          return element("a", { class: "place", href, target: "_blank", rel: "noopener noreferrer" }, text);
        }

        // The source lines around a place, if the page has them.
        function excerpt(at) {
          const parts = at && about.excerpts && Object.hasOwn(about.excerpts, at.file) ? about.excerpts[at.file] : [];
          for (const [first, text] of parts) {
            const lines = text.split("\n");
            const place = at.line - first;
            if (!(place >= 0 && place < lines.length)) continue;
            const from = Math.max(0, place - 5);
            return element("pre", { class: "source" }, ...lines.slice(from, place + 6).map((line, index) =>
              element("span", { class: from + index === place && "here" }, span("seq", String(first + from + index)), line)));
          }
          return null;
        }

        // 'Shop/Cart.swift:42' as the parts that it was made of.
        function placeOf(location) {
          const found = /^(.*?)(?::(\d+))?$/s.exec(location);
          return { file: found[1], line: found[2] && Number(found[2]) };
        }

        function copyButton(label, text, title = "Copy") {
          return button(label, () => copy(typeof text === "function" ? text() : text), { class: "copy", title });
        }

        async function copy(text) {
          try {
            await navigator.clipboard.writeText(text);
          } catch {
            const area = element("textarea", { class: "offscreen" });
            area.value = text;
            document.body.append(area);
            area.select();
            document.execCommand("copy");
            area.remove();
          }
          toast("Copied: " + (text.length > 90 ? text.slice(0, 90) + "…" : text));
        }

        let toastTimer = 0;
        function toast(text, duration = 2200) {
          byId("toast").textContent = visible(text);
          byId("toast").classList.add("shown");
          clearTimeout(toastTimer);
          toastTimer = setTimeout(() => byId("toast").classList.remove("shown"), duration);
        }

        // What happened at a path: '12 → -6', '+ added', '- removed'. The values are texts.
        function effectOf({ op, old, value, from }) {
          switch (op) {
            case "add": return span("effect", span("added", "+ ", element("span", {}, value)));
            case "remove": return span("effect", span("removed", "− ", element("span", {}, old === undefined ? "removed" : old)));
            case "move": case "copy": return span("effect", span("changed", op === "move" ? "moved from " : "copied from ", from));
            default:
              return old === undefined
                ? span("effect", span("added", "is now ", element("span", {}, value)))
                : span("effect", span("removed", old), span("arrow", " → "), span("added", value));
          }
        }
        """#
}
