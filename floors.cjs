/**
 * The import rules of the house as data, for dependency-cruiser: `npx depcruise --config floors.cjs packages`.
 * ARCHITECTURE.md says the same in words; `packages/core/test/house.test.ts` compares both with the folders.
 */
"use strict"

/** From the ground up. A file imports from its own room or from a lower floor: never up, never sideways. Types count. */
const floors = [
  ["std/", "texts/"],
  ["types/", "errors/"],
  ["errors.ts"],
  ["ports/", "crypto/", "client/", "adapters/", "providers/"],
  ["config/", "pages/", "ledger/"],
  ["http/"],
  ["context/"],
  ["sessions/", "checks/"],
  ["methods/"],
  ["admission/"],
  ["actions/"],
  ["engine/"],
]

/** Doors of the core that stand on the top floor; `errors.ts` and the files of `providers/` are doors further down. */
const doors = [
  "index.ts",
  "jwt.ts",
  "types.ts",
  "adapters.ts",
  "client.ts",
  "memory.ts",
  "passkeys.ts",
  "records.ts",
  "sessions.ts",
  "testing.ts",
]

/**
 * Each foreign library has its keeper in the core; nobody else imports it, not even its types. Where there are two, the
 * first loads it and the other knows its types alone.
 */
const keepers = {
  jose: "crypto/jose.ts",
  oauth4webapi: "methods/oauth/",
  "@simplewebauthn/server": ["providers/webauthn.ts", "methods/webauthn/"],
  "@simplewebauthn/browser": "client/library.ts",
  cookie: "std/cookie.ts",
  nodemailer: "providers/nodemailer.ts",
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")
const core = "^packages/core/src/"
const inside = (names) =>
  `${core}(?:${names
    .map((name) => (name.endsWith("/") ? name : `${name}$`))
    .map((name) => name.replace(".", "\\."))
    .join("|")})`
const tests = "\\.test(?:-d)?\\.ts$"

const floorRules = floors.flatMap((rooms, index) =>
  rooms.map((room) => ({
    name: `floor-of-${room.replace(/\W/g, "")}`,
    comment: `${room} imports from itself or from below floor ${index}`,
    severity: "error",
    from: { path: inside([room]), pathNot: tests },
    to: { path: core, pathNot: inside([room, ...floors.slice(0, index).flat()]) },
  })),
)

const keeperRules = Object.entries(keepers).flatMap(([library, keeper]) => {
  const [loader, ...readers] = [keeper].flat()
  const name = `keeper-of-${library.replaceAll(/\W+/g, "-").replace(/^-/, "")}`
  const path = `(?:^|node_modules/)(?:@types/)?${escaped(library)}(?:/|$)`
  const rule = {
    name,
    comment: `only ${[loader, ...readers].join(" and ")} imports ${library}`,
    severity: "error",
    from: { path: core, pathNot: [inside([loader, ...readers]), tests] },
    to: { path },
  }
  const loading = {
    name: `loader-of-${name.slice("keeper-of-".length)}`,
    comment: `${readers.join(" and ")} gets ${library} handed over: a bundler looks for whatever is imported, dynamically too`,
    severity: "error",
    from: { path: inside(readers), pathNot: tests },
    to: { path, dependencyTypesNot: ["type-only", "type-import"] },
  }
  return readers.length > 0 ? [rule, loading] : [rule]
})

const houseRules = [
  { name: "no-circle", comment: "types count as well", severity: "error", from: {}, to: { circular: true } },
  {
    name: "inside-knows-no-provider-and-no-adapter",
    comment: "they arrive as data, through the configuration",
    severity: "error",
    from: { path: `${core}[^/]+/`, pathNot: [tests, inside(["providers/", "adapters/"])] },
    to: { path: inside(["providers/", "adapters/"]) },
  },
  {
    name: "only-kept-libraries",
    comment: "the core has no other library and no module of Node",
    severity: "error",
    from: { path: core, pathNot: tests },
    to: {
      pathNot: [
        core,
        ...Object.keys(keepers).map((library) => `(?:^|node_modules/)(?:@types/)?${escaped(library)}(?:/|$)`),
      ],
    },
  },
  {
    name: "packages-see-doors-only",
    comment: "another package is imported by its name, never by a path into it",
    severity: "error",
    from: { path: "^packages/([^/]+)/src/" },
    to: { path: "^packages/", pathNot: "^packages/(?:$1/|[^/]+/dist/)" },
  },
]

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [...houseRules, ...floorRules, ...keeperRules],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules|/dist/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default"] },
  },
}

// Not enumerable, because the tool takes no members it does not know.
Object.defineProperties(module.exports, {
  floors: { value: floors },
  doors: { value: doors },
  keepers: { value: keepers },
})
