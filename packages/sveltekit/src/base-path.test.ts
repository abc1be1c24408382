import { describe, expect, it } from "vitest"
import { basePathOf, formAddress, kitBaseOf } from "./base-path.js"

describe("kitBaseOf", () => {
  it.each([
    ["SvelteKit 2", { base: "/app", resolve: (path: string) => `/app${path}` }, "/app"],
    ["SvelteKit 2 at the root", { base: "", resolve: (path: string) => path }, ""],
    ["SvelteKit 3", { resolve: (path: string) => `/app${path}` }, "/app"],
    ["SvelteKit 3 at the root", { resolve: (path: string) => path }, ""],
    ["SvelteKit 3 with routes in the fragment", { resolve: (path: string) => `#${path}` }, ""],
    ["a module loaded while a page is drawn", { base: "../.." }, ""],
    ["nothing of the kind", {}, ""],
  ])("reads the base path of %s", (_, paths, base) => {
    expect(kitBaseOf(paths)).toBe(base)
  })
})

describe("basePathOf", () => {
  it.each([
    ["", undefined, "/auth"],
    ["/app", undefined, "/app/auth"],
    ["", null, "/auth"],
    ["", "/login", "/login"],
    ["", "login/", "/login"],
    ["", "/", ""],
    ["/app", "/login", "/app/login"],
    ["/app", "/app/login", "/app/login"],
    ["/app", "/application", "/app/application"],
    ["/app", "/", "/app"],
    ["/app", "/app", "/app"],
  ])("below %j the option %j means %j", (kitBase, option, path) => {
    expect(basePathOf(kitBase, option)).toBe(path)
  })
})

describe("formAddress", () => {
  it.each([
    ["", "signin", "/signin"],
    ["", "/signin", "/signin"],
    ["/app", "signin", "/app/signin"],
    ["/app", "/signin", "/app/signin"],
    ["/app", "/app/signin", "/app/signin"],
    ["/app", "?/signIn", "?/signIn"],
    ["/app", "", ""],
    ["/app", "https://id.test/in", "https://id.test/in"],
  ])("below %j the page %j is at %j", (kitBase, page, address) => {
    expect(formAddress(kitBase, page)).toBe(address)
  })
})
