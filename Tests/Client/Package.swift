// swift-tools-version: 6.2
import PackageDescription

// An app's view of the package: another package, so that what is inlinable is compiled into another module, as users
// compile it. `.ci/client` builds and runs it in release.
let package = Package(
    name: "Client",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "state-inspect", path: "../..")],
    targets: [
        .testTarget(
            name: "ClientTests",
            dependencies: [
                .product(name: "StateStore", package: "state-inspect"),
                .product(name: "JournalFormat", package: "state-inspect"),
                .product(name: "StateReplay", package: "state-inspect"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
