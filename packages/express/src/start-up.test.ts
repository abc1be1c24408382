import { expect, it } from "vitest"
import { ExpressAuth } from "./handler.js"
import type { ExpressAuthConfig } from "./service.js"

it("what is wrong with a configuration is logged when the handler is made, and a function is left to the first request", () => {
  const lines: string[] = []
  const broken: ExpressAuthConfig = {
    secret: "",
    providers: [],
    logger: { error: (error) => void lines.push(error.name), warn: (code) => void lines.push(code) },
  }
  ExpressAuth(() => broken)
  expect(lines).toEqual([])
  ExpressAuth(broken)
  expect(lines).toEqual(["MissingSecret"])
})
