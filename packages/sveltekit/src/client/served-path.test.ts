import { expect, it } from "vitest"
import { servedPath } from "./served-path.js"

const announcing = (content: string | null) => ({
  querySelector: (selector: string) =>
    selector === 'meta[name="auth-base-path"]' ? { getAttribute: () => content } : null,
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
