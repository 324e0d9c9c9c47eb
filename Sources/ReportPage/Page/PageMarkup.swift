/// What the page consists of before its script fills it in.
enum PageMarkup {
    /// The body; nothing of a journal is in it.
    static let body = """
        <noscript>This page shows a run by a script, which this browser does not run.</noscript>
        <header id="top">
          <h1 id="title">state-inspect</h1>
          <label id="runs" hidden>Run <select id="run"></select></label>
          <p id="facts"></p>
          <div class="spring"></div>
          <button type="button" id="theme" title="Theme: light, dark, or as the system has it (t)">Theme</button>
          <button type="button" id="help" title="Keys (?)" aria-haspopup="dialog">?</button>
        </header>
        <section id="story" aria-label="What was found"></section>
        <div id="steer">
        <section id="time" aria-label="Timeline">
          <div id="lanes" role="group" aria-label="Stores: choose whose commits are listed"></div>
          <div id="track" aria-hidden="true"><canvas id="canvas"></canvas><div id="cursor"></div></div>
          <input type="range" id="slider" min="0" max="0" value="0" step="1" aria-label="Position">
          <div id="transport" role="group" aria-label="Move along the run">
            <button type="button" id="to-start" title="Start (Home)" aria-label="Start">\(icon("M3 3h2v10H3zM13 3v10L5 8z"))</button>
            <button type="button" id="step-back" title="Back one commit (←)" aria-label="Back one commit">\(icon("M10 2l2 2-4 4 4 4-2 2-6-6z"))</button>
            <button type="button" id="play" title="Play (space)" aria-pressed="false">\(icon("M4 2l9 6-9 6z"))\(icon("M3 2h4v12H3zM9 2h4v12H9z"))
              <span id="play-word">Play</span></button>
            <button type="button" id="step" title="On one commit (→)" aria-label="On one commit">\(icon("M6 2l6 6-6 6-2-2 4-4-4-4z"))</button>
            <button type="button" id="to-end" title="End (End)" aria-label="End">\(icon("M3 3l8 5-8 5zM11 3h2v10h-2z"))</button>
            <select id="speed" aria-label="Commits a second">
              <option value="2">2/s</option><option value="8" selected>8/s</option><option value="30">30/s</option>
            </select>
            <label class="position">Commit <input type="number" id="position" min="0" value="0" inputmode="numeric"></label>
            <output id="moment" for="slider"></output>
          </div>
        </section>
        <nav id="tabs" role="tablist" aria-label="Views">
          <button type="button" role="tab" id="tab-commits" aria-controls="commits" aria-selected="false">Commits</button>
          <button type="button" role="tab" id="tab-state" aria-controls="state" aria-selected="true">State</button>
          <button type="button" role="tab" id="tab-commit" aria-controls="commit" aria-selected="false">Change</button>
        </nav>
        </div>
        <main>
          <section id="commits" aria-label="Commits">
            <form id="filter" role="search">
              <input type="search" id="text" placeholder="Search" aria-label="Search names, paths and values"
                autocomplete="off" spellcheck="false">
              <details>
                <summary>Filters</summary>
                <label>Path <input type="text" id="path" placeholder="/cart/total" autocomplete="off" spellcheck="false"></label>
                <label>Function or file <input type="text" id="label" autocomplete="off" spellcheck="false"></label>
                <label>Store <select id="store"></select></label>
                <label>Kind
                  <select id="kind">
                    <option value="">all</option><option value="commit">commits</option><option value="mark">marks</option>
                    <option value="abort">aborts</option><option value="gap">gaps</option>
                    <option value="store">stores opened</option><option value="close">stores closed</option>
                  </select>
                </label>
                <button type="reset">Clear</button>
              </details>
              <output id="count"></output>
            </form>
            <div id="list" role="listbox" tabindex="0" aria-label="Commits"><div id="rows"></div></div>
          </section>
          <section id="state" aria-label="State">
            <div class="bar">
              <h2>State <span id="state-at"></span></h2>
              <div class="spring"></div>
              <button type="button" id="fold" title="Fold all but what changed">Fold</button>
              <button type="button" id="copy-state" title="Copy the state as JSON">Copy JSON</button>
            </div>
            <div id="sides" class="bar" hidden>
              <span id="other-at"></span>
              <div class="spring"></div>
              <button type="button" id="next-difference" title="To the next difference (n; N for the one before)">Next (n)</button>
            </div>
            <div id="tree" role="tree" tabindex="0" aria-label="State"></div>
          </section>
          <section id="commit" aria-label="Change">
            <div id="change" aria-live="polite"></div>
            <div id="member"></div>
          </section>
        </main>
        <dialog id="keys" aria-labelledby="keys-title">
          <h2 id="keys-title">Keys</h2>
          <dl id="key-list"></dl>
          <p>An address may end in <code>#118</code> or <code>#118/cart/total</code>.</p>
          <form method="dialog"><button>Close</button></form>
        </dialog>
        <div id="toast" role="status" aria-live="polite"></div>
        """

    /// A sign that needs no font: not every system has the characters for it.
    private static func icon(_ path: String) -> String {
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }
}
