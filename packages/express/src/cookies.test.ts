import type { Request as ExpressRequest, Response as ExpressResponse } from "express"
import { describe, expect, it } from "vitest"
import { currentHeaders } from "./cookies.js"

/** The cookies as they are once another middleware has set some. */
function cookiesOf(cookie: string, ...setBefore: string[]): string | undefined {
  const req = { headers: { cookie } } as ExpressRequest
  const res = { headersSent: false, getHeader: () => setBefore } as unknown as ExpressResponse
  return currentHeaders(req, res).cookie
}

const blanks = ["\u00a0", "\u2000", "\u3000", "\ufeff", "\u000b", "\u000c"]

describe("the cookies of a request after another middleware has set one", () => {
  it.each(blanks.map((blank) => [`U+${blank.charCodeAt(0).toString(16)}`, blank]))(
    "keep their names: %s is part of one",
    { tags: ["threat:CK-03"] },
    (_, blank) => {
      const tossed = `${blank}__Host-authjs.csrf-token=evil`
      expect(cookiesOf(`a=1; ${tossed}; b=2${blank}`, "own=1; Path=/")).toBe(`a=1; ${tossed}; b=2${blank}; own=1`)
      // The real one is replaced by what was set; the other is left as another.
      expect(cookiesOf(`${tossed}; __Host-authjs.csrf-token=old`, "__Host-authjs.csrf-token=new; Path=/")).toBe(
        `${tossed}; __Host-authjs.csrf-token=new`,
      )
    },
  )

  it("lose the spaces and tabs around them", () => {
    expect(cookiesOf(" a=1 ;\tb=2; ;", "own=1; Path=/")).toBe("a=1; b=2; own=1")
  })

  it("are replaced by those that were set, and left out where they were cleared", () => {
    expect(cookiesOf("a=1; b=2; c=3", "a=new; Path=/", "b=; Max-Age=0")).toBe("c=3; a=new")
  })

  it("are those of the domain where the one of the host is cleared beside them", () => {
    const cleared = "session=; Max-Age=0; Path=/"
    expect(cookiesOf("session=old; a=1", cleared, "session=new; Domain=.app.test; Path=/")).toBe("a=1; session=new")
    expect(cookiesOf("session=old; a=1", cleared, "session=; Max-Age=0; Domain=.app.test; Path=/")).toBe("a=1")
  })
})
