extension PageStyle {
    /// What things look like.
    static let parts = """
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 3px; }
        #list:focus-visible, #tree:focus-visible { outline-offset: -2px; }
        span, a, code, td, th { unicode-bidi: isolate; }
        svg { width: 1em; height: 1em; fill: currentColor; vertical-align: -.12em; }
        #play[aria-pressed=true] svg:first-child, #play[aria-pressed=false] svg:nth-child(2) { display: none; }
        a { color: var(--accent); text-decoration: none; }
        a:hover { text-decoration: underline; }
        button, select, input { font: inherit; color: inherit; }
        button, select, input[type=search], input[type=text], input[type=number] {
          background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 2px 9px; min-height: 26px; font-size: 13px;
        }
        input[type=search], input[type=text], input[type=number] { background: var(--ground); min-width: 0; }
        button { cursor: pointer; }
        button:hover:not(:disabled) { border-color: var(--accent); }
        button:disabled { opacity: .45; cursor: default; }
        button[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); }
        button.copy { min-height: 0; padding: 0 7px; font-size: 11.5px; color: var(--quiet); }
        button.plain { border: none; background: none; min-height: 0; padding: 0 6px; color: var(--quiet); }
        .dim, .clock, .size, time { color: var(--quiet); }
        .clock, time, .seq { font-variant-numeric: tabular-nums; }
        kbd { background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 1px 6px; white-space: nowrap; }

        .finding { border: 1px solid var(--line); border-left: 3px solid var(--line); border-radius: 6px; background: var(--panel); flex: none; }
        .finding.bad { border-left-color: var(--bad); }
        .finding.good { border-left-color: var(--good); }
        .finding.unknown { border-left-color: var(--unknown); }
        .finding > summary { display: flex; align-items: baseline; gap: 10px; padding: 5px 12px; cursor: pointer; flex-wrap: wrap; }
        .finding > summary::marker { content: ""; }
        .finding > summary::-webkit-details-marker { display: none; }
        .finding > :not(summary) { padding: 0 12px 9px; }
        .finding > table { width: calc(100% - 24px); margin: 0 12px 9px; }
        .tone { font-size: 11px; font-weight: 650; text-transform: uppercase; letter-spacing: .04em; padding: 1px 7px; border-radius: 99px; }
        .tone.bad { background: var(--bad-soft); color: var(--bad); }
        .tone.good { background: var(--good-soft); color: var(--good); }
        .tone.unknown { background: var(--unknown-soft); color: var(--unknown); }
        .finding .title { font-weight: 650; }
        .finding .where { display: inline-flex; gap: 8px; flex-wrap: wrap; align-items: baseline; }
        .columns { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 4fr) minmax(0, 3fr); gap: 4px 28px; }
        .columns p { margin: 1px 0; }
        .question code, .held code { color: var(--quiet); overflow-wrap: anywhere; white-space: pre-wrap; }
        .held li { padding: 2px 0; }
        .said { overflow-wrap: anywhere; }
        .note { color: var(--unknown); background: var(--unknown-soft); border-radius: 6px; padding: 5px 12px; }
        .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; }
        .side { min-width: 0; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; padding: 3px 16px 3px 0; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
        thead th { color: var(--quiet); border-bottom: 1px solid var(--line); }
        .divergence td, .divergence tbody th { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }

        .lane {
          height: var(--lane-height); min-height: 0; line-height: calc(var(--lane-height) - 1px); padding: 0 6px 0 0; border: none; background: none; font-size: 11.5px;
          text-align: right; color: var(--quiet); overflow-x: clip; text-overflow: ellipsis; white-space: nowrap; border-right: 3px solid currentColor; border-radius: 0;
        }
        .lane[aria-pressed=true] { font-weight: 700; color: var(--ink); }
        \(lanes)

        .row { position: absolute; left: 0; right: 0; top: 0; height: 44px; padding: 4px 12px; border-bottom: 1px solid var(--line); cursor: pointer; contain: strict; }
        .row:hover { background: var(--raised); }
        .row[aria-selected=true] { background: var(--accent-soft); box-shadow: inset 3px 0 var(--accent); }
        .row.later .label { font-weight: 400; color: var(--quiet); }
        .row .line { display: flex; gap: 8px; align-items: baseline; white-space: nowrap; height: 18px; overflow: hidden; }
        .row .seq { color: var(--quiet); min-width: 3.2em; font-size: 12.5px; }
        .row .label { font-weight: 550; overflow: hidden; text-overflow: ellipsis; flex: 0 1 auto; }
        .row .clock, .row .cause { margin-left: auto; font-size: 12px; flex: none; }
        .row .cause { color: var(--quiet); }
        .row .cause + .clock { margin-left: 0; }
        .row .store { font-size: 12px; flex: none; max-width: 40%; overflow: hidden; text-overflow: ellipsis; }
        .row .dim { font-size: 12px; overflow: hidden; text-overflow: ellipsis; }
        .row .paths { color: var(--quiet); overflow: hidden; text-overflow: ellipsis; }
        .row .paths > span + span:not(.effect) { margin-left: 1em; }
        .word { font-size: 11px; font-weight: 650; text-transform: uppercase; letter-spacing: .04em; color: var(--mark); }
        .word.error, .text.error { color: var(--bad); }
        .word.warning, .text.warning { color: var(--warn); }
        .word.unknown { color: var(--unknown); }
        .word.quiet { color: var(--quiet); }

        .node { display: flex; gap: 7px; align-items: baseline; padding: 1px 12px 1px calc(10px + var(--depth, 0) * 16px); min-height: 22px; cursor: default; border-left: 3px solid transparent; }
        .node > span { overflow-wrap: anywhere; }
        .node .twist { flex: none; width: 1em; color: var(--quiet); cursor: pointer; text-align: center; }
        [aria-expanded] > .twist::before { content: ""; display: inline-block; border: .28em solid transparent; border-left: .42em solid; transform: translateX(.14em); }
        [aria-expanded=true] > .twist::before { transform: translate(-.07em, .14em) rotate(90deg); }
        .node .name { flex: none; max-width: 60%; }
        .node .name::after, .node .index::after { content: ":"; color: var(--quiet); }
        .node .index { color: var(--quiet); flex: none; }
        .node .size { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .node:hover { background: var(--raised); }
        .node[aria-selected=true] { background: var(--accent-soft); }
        .node.lit { background: var(--lit); border-left-color: var(--lit-edge); }
        .node.lit[aria-selected=true] { box-shadow: inset 0 0 0 1px var(--accent); }
        .node.touched > .name, .node.touched > .index { font-weight: 700; }
        .node.differs { flex-wrap: wrap; background: var(--differs); border-left-color: var(--mark); }
        .node.differs.lit { background: var(--lit); }
        .other, #other-at { color: var(--mark); }
        .node .other { margin-left: auto; }
        .node { scroll-margin-block: 3.5rem; }
        .source { margin: 10px 0; padding: 6px 0; border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; font: 12px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        .source > span { display: block; width: max-content; min-width: 100%; padding-right: 10px; white-space: pre; }
        .source .seq { display: inline-block; min-width: 5ch; padding-right: 1.5ch; text-align: right; color: var(--quiet); }
        .source .here { background: var(--lit); }
        .node.ghost { opacity: .75; }
        .node.ghost .name, .node.ghost .index, .old, .removed { text-decoration-line: line-through; text-decoration-thickness: 1px; }
        .node.more { color: var(--accent); cursor: pointer; }
        .old, .removed { color: var(--removed); }
        .added { color: var(--added); }
        .arrow + .added { color: var(--ink); font-weight: 600; }
        .arrow { color: var(--quiet); }
        .value.string { color: var(--string); }
        .value.number { color: var(--number); }
        .value.boolean, .value.null { color: var(--word); }
        .redacted { color: var(--quiet); font-style: italic; }

        #commit h2 { font-size: 15px; font-weight: 650; overflow-wrap: anywhere; display: flex; gap: 10px; align-items: baseline; }
        #commit h2 .seq { color: var(--quiet); font-weight: 400; font-size: 13px; white-space: nowrap; }
        #commit h3, .side h3, .columns h3 { font-size: 12px; font-weight: 650; color: var(--quiet); margin: 14px 0 4px; }
        .columns h3, .side h3 { margin-top: 2px; }
        #commit .facts { display: flex; flex-wrap: wrap; gap: 3px 14px; margin: 5px 0 10px; }
        .store { font-weight: 600; }
        .changes li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 12px; padding: 2px 0; overflow-wrap: anywhere; }
        .changes .effect { min-width: 0; }
        .fired li, .chain li, .writers li { padding: 2px 0; overflow-wrap: anywhere; }
        .fired .name { margin-right: 10px; font-weight: 550; }
        .commands li { display: flex; gap: 8px; align-items: baseline; padding: 1px 0; }
        .commands code { min-width: 0; color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 0 1 auto; }
        .commands code:hover { white-space: normal; overflow-wrap: anywhere; }
        #member:not(:empty) { border-top: 1px solid var(--line); margin-top: 18px; padding-top: 14px; }
        #member .value { overflow-wrap: anywhere; }
        .text { overflow-wrap: anywhere; }
        """

    /// The color of each lane, and of the names of the stores in it.
    private static let lanes = (0..<8).map { ".lane-\($0) { color: var(--lane-\($0)); }" }.joined(separator: "\n")

    /// A telephone, and paper.
    static let narrow = """
        @media screen and (max-width: 900px) {
          #story .commands { display: none; }
          body { height: auto; min-height: 100dvh; }
          #top { padding: 4px 12px; flex-wrap: wrap; gap: 0 8px; }
          #top h1 { flex: 1 1 0; min-width: 8em; }
          #top .spring { display: none; }
          #facts { order: 5; flex-basis: 100%; }
          button, button.copy, select, input[type=search], input[type=text], input[type=number] { min-height: 40px; min-width: 40px; }
          a { padding-block: 6px; }
          .fired li, .chain li, .writers li { line-height: 30px; }
          .node { min-height: 36px; align-items: center; }
          .node .twist { min-width: 36px; margin-left: -10px; line-height: 36px; }
          #runs { flex: 1 1 0; min-width: 0; display: flex; gap: 8px; align-items: center; }
          #runs select { flex: 1 1 0; }
          #story { padding: 6px 12px; }
          .finding:not([open]) .where { display: none; }
          .finding a { padding-block: 0; }
          .columns, .sides { grid-template-columns: minmax(0, 1fr); }
          #steer {
            display: block; order: 1; position: sticky; bottom: 0; z-index: 2; background: var(--ground); border-top: 1px solid var(--line);
          }
          #time { grid-template-columns: 64px minmax(0, 1fr); gap: 0 8px; padding: 4px 12px; }
          #slider { height: 28px; }
          .lane { min-width: 0; font-size: 10px; padding-right: 4px; border-right-width: 2px; }
          #transport { gap: 4px; flex-wrap: nowrap; white-space: nowrap; overflow: hidden; }
          #transport .position { margin-left: 0; font-size: 0; }
          #to-start, #to-end, #speed, #play-word { display: none; }
          #tabs { display: grid; grid-template-columns: repeat(3, 1fr); background: var(--panel); }
          #tabs button { border: none; border-radius: 0; background: none; min-height: 44px; border-top: 2px solid transparent; }
          #tabs [aria-selected=true] { border-top-color: var(--accent); font-weight: 650; }
          main { display: block; flex: 1 0 auto; }
          main > section { display: none; }
          body:not([data-tab]) #state, body[data-tab=state] #state, body[data-tab=commits] #commits { display: flex; }
          body[data-tab=commit] #commit { display: block; }
          #list { flex: none; height: calc(100dvh - 19rem); min-height: 16rem; }
          #tree { overflow: visible; }
          #sides { position: sticky; top: 0; z-index: 1; background: var(--panel); }
          .node { scroll-margin-bottom: 16rem; }
          .finding > summary { gap: 0 10px; }
          #toast { bottom: auto; top: 18px; }
        }
        @media print {
          body { height: auto; }
          #transport, #slider, #commits, #tabs, #toast, .twist { display: none !important; }
          button:not(.lane), select { display: none !important; }
          #tree, #commit { overflow: visible; }
          main { display: flex; flex-direction: column; }
          #commit { order: -1; }
          main > section { display: block !important; border-bottom: 1px solid var(--line); }
          .lit { outline: 1px solid var(--lit-edge); }
        }
        @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
        """
}
