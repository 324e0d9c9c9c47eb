/// How the page looks: light and dark, wide and narrow, on a screen and on paper.
enum PageStyle {
    /// The whole style sheet.
    static let text =
        "\n"
        + PageScript.tight(
            [colors, layout, parts, narrow].joined(separator: "\n"), ["; ", ": ", " { ", " {", "{ ", " }", ", "]) + "\n"

    private static let light = """
        --ground: #f6f6f4; --panel: #ffffff; --raised: #fafaf8; --ink: #1c1e21; --quiet: #5d636b; --line: #dedfdb;
        --accent: #1f5fd0; --accent-soft: #e6eefc; --bad: #b42318; --bad-soft: #fdeceb; --good: #1a6f37; --good-soft: #e6f4ea;
        --unknown: #8a5a00; --unknown-soft: #fff4dc; --warn: #9b5c00; --mark: #6b4fbb; --differs: #f1ecfd; --lit: #fff1b8; --lit-edge: #c79a00;
        --added: #156b33; --removed: #a1261c; --string: #0b5a6b; --number: #6d3aa8; --word: #9c4221;
        --lane-0: #2c68c9; --lane-1: #af4e17; --lane-2: #26794d; --lane-3: #894ec2; --lane-4: #b8336a; --lane-5: #0d7580;
        --lane-6: #806800; --lane-7: #656b78;
        """

    private static let dark = """
        --ground: #131519; --panel: #1a1d22; --raised: #20242a; --ink: #e6e8eb; --quiet: #9aa3ae; --line: #30353d;
        --accent: #7aa9ff; --accent-soft: #1f2f4d; --bad: #ff8f85; --bad-soft: #3a1f1e; --good: #77d196; --good-soft: #18301f;
        --unknown: #f0bd5e; --unknown-soft: #382c14; --warn: #f2b155; --mark: #b9a3ff; --differs: #2a2440; --lit: #40340a; --lit-edge: #e5b94a;
        --added: #7fd69c; --removed: #ff9b92; --string: #7fd0e0; --number: #cbaaff; --word: #f2a98a;
        --lane-0: #6ea3ff; --lane-1: #f29a5c; --lane-2: #63c98f; --lane-3: #bb8df0; --lane-4: #f07fa8; --lane-5: #55c5d0;
        --lane-6: #d6b93f; --lane-7: #a0a7b3;
        """

    private static let colors = """
        :root { color-scheme: light; \(light) }
        @media screen {
          @media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; \(dark) } }
          :root[data-theme=dark] { color-scheme: dark; \(dark) }
        }
        """
}
