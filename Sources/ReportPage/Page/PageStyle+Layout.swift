extension PageStyle {
    /// Where things are.
    static let layout = """
        * { box-sizing: border-box; }
        html { height: 100%; }
        body {
          margin: 0; height: 100dvh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
          font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
        }
        h1, h2, h3, p, ul, ol, dl { margin: 0; padding: 0; }
        ul, ol { list-style: none; }
        [hidden] { display: none !important; }
        code, kbd, .path, .value, .effect, .changes, .paths, .node, .place, .old, #position { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
        .spring { flex: 1; }
        #top { display: flex; align-items: center; gap: 12px; padding: 8px 16px; background: var(--panel); border-bottom: 1px solid var(--line); }
        #top h1 { font-size: 15px; font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: isolate; }
        #facts { color: var(--quiet); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
        #story { padding: 10px 16px 0; display: flex; flex-wrap: wrap; gap: 6px; flex: none; }
        #story > * { flex: 1 1 100%; min-width: 0; }
        #story > details:not([open]) { flex: 0 1 auto; }
        #steer { display: contents; }
        #time {
          display: grid; grid-template-columns: 132px minmax(0, 1fr); gap: 0 12px; padding: 8px 16px 6px; flex: none;
        }
        #lanes { padding-top: 16px; display: flex; flex-direction: column; align-items: stretch; }
        #track { position: relative; overflow: hidden; }
        #canvas { width: 100%; height: 40px; display: block; cursor: ew-resize; touch-action: none; border-radius: 3px; }
        #cursor { position: absolute; top: 0; bottom: 0; margin-left: -1px; border-left: 2px solid var(--accent); pointer-events: none; }
        #slider { grid-column: 2; width: 100%; margin: 2px 0 0; accent-color: var(--accent); }
        #transport { grid-column: 1 / -1; display: flex; align-items: center; gap: 6px; flex-wrap: wrap; }
        #transport .position { margin-left: 10px; color: var(--quiet); }
        #moment { color: var(--quiet); font-variant-numeric: tabular-nums; }
        #tabs { display: none; }
        main {
          flex: 1 1 0; min-height: 20rem; display: grid; grid-template: minmax(0, 1fr) / minmax(280px, 30%) minmax(320px, 1fr) minmax(300px, 32%);
          gap: 1px; background: var(--line); border-top: 1px solid var(--line);
        }
        main > section { background: var(--panel); min-width: 0; min-height: 0; display: flex; flex-direction: column; }
        #commit { overflow: auto; padding: 12px 16px 24px; display: block; }
        #tree, #list { flex: 1; min-height: 0; overflow: auto; }
        #tree { padding: 4px 0 16px; }
        #list { position: relative; contain: strict; }
        #rows { position: relative; }
        .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; padding: 7px 12px; border-bottom: 1px solid var(--line); }
        .bar h2 { font-size: 13px; font-weight: 650; }
        .bar h2 span { color: var(--quiet); font-weight: 400; }
        #filter { display: grid; grid-template-columns: 1fr auto; gap: 4px 8px; padding: 7px 10px; border-bottom: 1px solid var(--line); align-items: center; }
        #filter #text { width: 100%; }
        #filter details { grid-column: 1 / -1; }
        #filter details[open] { display: grid; gap: 6px; }
        #filter label { display: grid; grid-template-columns: 112px 1fr; align-items: center; color: var(--quiet); margin-top: 5px; }
        #filter summary { color: var(--quiet); cursor: pointer; font-size: 12.5px; }
        #filter #count { color: var(--quiet); font-size: 12.5px; grid-row: 1; grid-column: 2; }
        #toast {
          position: fixed; bottom: 18px; left: 50%; transform: translate(-50%, 8px); width: max-content; max-width: 90vw; padding: 8px 14px;
          border-radius: 6px; background: var(--ink); color: var(--ground); opacity: 0; pointer-events: none; transition: opacity .15s, transform .15s;
        }
        #toast.shown { opacity: 1; transform: translate(-50%, 0); }
        .offscreen { position: fixed; left: -200vw; }
        dialog { border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--ink); padding: 20px 24px; max-width: min(560px, 92vw); }
        dialog::backdrop { background: rgb(0 0 0 / 45%); }
        dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 6px 18px; margin: 14px 0; }
        dialog dd { margin: 0; }
        dialog p { color: var(--quiet); margin-bottom: 14px; }
        """
}
