import { describe, expect, it } from "vitest"
import { settingsOf } from "../../test/support/facts.js"
import { readFlags } from "./option-values.js"

describe("flags that came as text", () => {
  it.each([
    ["true", true],
    ["1", true],
    [" TRUE ", true],
    ["false", false],
    ["0", false],
    ["", undefined],
  ])("reads %j", (text, meaning) => {
    expect(readFlags({ debug: text, trustHost: text, useSecureCookies: text })).toEqual({
      debug: meaning,
      trustHost: meaning,
      useSecureCookies: meaning,
    })
  })

  it.each(["yes", "loud", "constructor", 1, null])("leaves %j to be judged", (value) => {
    expect(readFlags({ debug: value })).toEqual({ debug: value })
  })

  it("never trusts a host because of the text false", () => {
    expect(settingsOf({ trustHost: "false" as never }).hostTrust).toBe("never")
    expect(settingsOf({ trustHost: "true" as never }).hostTrust).toBe("always")
    expect(settingsOf({ trustHost: "" as never }, { NODE_ENV: "production" }).hostTrust).toBe("never")
  })
})
