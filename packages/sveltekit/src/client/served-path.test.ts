import { expect, it } from "vitest"
import { servedPath } from "./served-path.js"

const announcing = (content: string | null) => ({
  querySelector: (selector: string) =>
    selector === 'head > meta[name="auth-base-path"]' ? { getAttribute: () => content } : null,
})

it.each([
  ["", undefined, "/auth"],
  ["/app", undefined, "/app/auth"],
  ["/app", { querySelector: () => null }, "/app/auth"],
  ["/app", announcing("/app/login"), "/app/login"],
  ["/app", announcing(null), "/app/auth"],
])("below %j, with the page %j, the service is at %j (pain 3)", (kitBase, page, path) => {
  expect(servedPath(kitBase, page)).toBe(path)
})

it.each(["//evil.test", "/\\evil.test", "https://evil.test", "/\t/evil.test", "evil", "javascript:x"])(
  "a page that says %j does not lead to another host",
  { tags: ["threat:A-069"] },
  (content) => {
    expect(servedPath("/app", announcing(content))).toBe("/app/auth")
  },
)
