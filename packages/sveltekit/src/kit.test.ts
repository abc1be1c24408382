import { afterEach, describe, expect, it, vi } from "vitest"
import { kit } from "./kit.js"
import { asEnvironment } from "./server/surroundings.js"

it("tells what SvelteKit tells: the base path, and that nothing is being built", () => {
  expect(kit.kitBase).toBe("/base")
  expect(kit.isBuilding()).toBe(false)
})

it("takes the private environment, and what the process knows beside it", async () => {
  const environment = await kit.environment()
  expect(environment["AUTH_SECRET"]).toBe("of-the-dynamic-environment-32-chars")
  expect(environment["NODE_ENV"]).toBe(process.env["NODE_ENV"])
})

describe("the private environment of other applications", () => {
  afterEach(() => {
    vi.doUnmock("@sveltejs/kit")
    vi.doUnmock("$env/dynamic/private")
    vi.resetModules()
  })

  it("is that of the declared variables in SvelteKit 3, which warns of the other module", async () => {
    vi.resetModules()
    vi.doMock("@sveltejs/kit", () => ({ VERSION: "3.2.0" }))
    const environment = await (await import("./kit.js")).kit.environment()
    expect(environment["AUTH_DECLARED"]).toBe("1")
    expect(environment["AUTH_SECRET"]).toBe(process.env["AUTH_SECRET"])
  })

  it("is that of the declared variables too where SvelteKit 2 refuses the other module", async () => {
    vi.resetModules()
    vi.doMock("$env/dynamic/private", () => {
      throw new Error("Cannot import it when variables are declared.")
    })
    const environment = await (await import("./kit.js")).kit.environment()
    expect(environment["AUTH_DECLARED"]).toBe("1")
  })
})

it("has variables as text, the later record first, and leaves aside what is none", () => {
  const declared = { AUTH_TRUST_HOST: true, AUTH_NUMBER: 5, AUTH_LIST: ["x"], AUTH_NOTHING: undefined, A: "2" }
  expect(asEnvironment({ A: "1", B: "1" }, declared)).toEqual({
    A: "2",
    B: "1",
    AUTH_TRUST_HOST: "true",
    AUTH_NUMBER: "5",
  })
})
