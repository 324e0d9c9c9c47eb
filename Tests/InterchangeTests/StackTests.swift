import Interchange
import JSONCore
import JournalFormat
import Testing

@Suite("Places out of stacks")
struct StackTests {
    @Test(
        "the first frame of one's own code, whatever browser, bundler or package manager wrote the stack",
        arguments: [
            ("    at Object.foo [as bar] (http://h/src/a.ts:5:3)", "http://h/src/a.ts:5", "foo"),
            (
                "    at eval (eval at ./src/App.tsx (http://h/static/js/main.js:10:1), <anonymous>:12:5)\n    at f (http://h/src/a.ts:5:3)",
                "./src/App.tsx:12", "eval"
            ),
            (
                "performAction@moz-extension://ab-cd/page.bundle.js:1:2\nonClick@http://h/src/a.ts:5:3",
                "http://h/src/a.ts:5", "onClick"
            ),
            (
                "    at x (chrome-extension://ab/page.bundle.js:1:2)\n    at App (webpack-internal:///./src/App.tsx:30:7)",
                "webpack-internal:///./src/App.tsx:30", "App"
            ),
            (
                "x@safari-web-extension://ab/p.js:1:2\n[native code]\npromise callback*add/<@http://h/src/a.ts:5:3",
                "http://h/src/a.ts:5", "add"
            ),
            ("anonymous@1:111", nil, ""),
            (
                "    at performAction (address at index.android.bundle:1:123456)\n    at global (native)",
                "index.android.bundle:1", "performAction"
            ),
            (
                "onPress@http://localhost:8081/index.bundle//&platform=ios&dev=true:123:45",
                "http://localhost:8081/index.bundle:123", "onPress"
            ),
            (
                "    at onClick (http://localhost:5173/src/App.tsx?t=1700000000:33:17)",
                "http://localhost:5173/src/App.tsx:33", "onClick"
            ),
            (
                "    at x (http://localhost:5173/node_modules/.vite/deps/redux.js?v=1:3:1)\n    at http://localhost:5173/src/App.tsx:33:17",
                "http://localhost:5173/src/App.tsx:33", ""
            ),
            (
                "    at ZoneDelegate.invoke (http://localhost:4200/polyfills.js:1:2)\n    at dispatch (http://localhost:4200/vendor.js:1:2)\n    at AppComponent.onClick (http://localhost:4200/main.js:30:5)",
                "http://localhost:4200/main.js:30", "AppComponent.onClick"
            ),
            (
                "    at d (/w/node_modules/.pnpm/redux@4.2.1/node_modules/redux/lib/redux.js:1:2)\n    at async add (/w/app/cart.js:9:1)",
                "/w/app/cart.js:9", "add"
            ),
            (
                "    at d (/w/.yarn/cache/redux-npm-4.2.1-ab.zip/node_modules/redux/x.js:1:2)\n    at node:internal/process:3:1\n    at new Cart (/w/src/redux/cart.js:9:1)",
                "/w/src/redux/cart.js:9", "Cart"
            ),
            ("f@http://h/App.js line 5 > eval:1:2", "http://h/App.js:5", "f"),
            (
                "    at Page (webpack-internal:///(rsc)/./app/(shop)/page.tsx:10:5)",
                "webpack-internal:///(rsc)/./app/(shop)/page.tsx:10", "Page"
            ),
            (
                "f@http://h/node_modules/@reduxjs/toolkit/x.js:1:2\ng@http://h/@app/x.js:3:4", "http://h/@app/x.js:3",
                "g"
            ),
            ("    at x (chrome-extension://ab/page.bundle.js:1:2)", nil, ""),
            ("    at C:\\w\\src\\a.ts:5:3", "C:\\w\\src\\a.ts:5", ""),
        ] as [(String, String?, String)])
    func stacks(_ stack: String, _ place: String?, _ function: String) {
        let found = SourcePlaceText.location(of: .string("Error: of mail a@b:1:2\n" + stack))
        #expect(found.map { "\($0.file):\($0.line)" } == place)
        #expect((found?.function ?? "") == function)
    }
}
