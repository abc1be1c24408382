/**
 * Any text, given to what reads text from outside: it is read or refused, what comes out has the form that those who use
 * it rely on, and the work grows with the text and not with its square. `npm run fuzz` tries many more.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isOneAddress, normalizeAddress } from "../../src/context/email-address.js"
import { EmailAddressRefused } from "../../src/errors.js"
import { parseCookies, serialiseCookie } from "../../src/std/cookie.js"
import { html, renderHtml } from "../../src/std/html.js"
import { parseMembers } from "../../src/std/json.js"
import { networkOf } from "../../src/std/network.js"
import { hasControlCharacters, onOneLine, quoted } from "../../src/std/text.js"
import { isLoopbackHost, pathSegment, withParams } from "../../src/std/url.js"
import { text } from "./support/fragments.js"

const numRuns = Number(process.env["LATCHKEY_FUZZ"] ?? 500)
const several = fc.array(text, { maxLength: 5 }).map((parts) => parts.join(""))
const holds = (check: (value: string) => void): void => fc.assert(fc.property(several, check), { numRuns })

/** What a call returns or throws. */
function outcomeOf<T>(call: () => T): { value: T } | { error: unknown } {
  try {
    return { value: call() }
  } catch (error) {
    return { error }
  }
}

describe("any text", { timeout: 20_000 + numRuns * 20 }, () => {
  it("as a header of cookies is read, each pair at most once", () => {
    holds((value) => {
      const cookies = parseCookies(value)
      expect(cookies.size).toBeLessThanOrEqual(value.split(";").length)
      for (const name of cookies.keys()) expect(name).not.toMatch(/[;=]/)
    })
  })

  it("as a cookie is one line with the attributes that were meant, or refused", () => {
    fc.assert(
      fc.property(several, several, (name, value) => {
        const outcome = outcomeOf(() => serialiseCookie(name, value, { path: "/", httpOnly: true }))
        if (!("value" in outcome)) return
        const [pair, ...attributes] = outcome.value.split(";")
        expect(hasControlCharacters(outcome.value)).toBe(false)
        expect(pair?.indexOf("=")).toBe(name.length)
        expect(attributes.map((attribute) => attribute.trim().toLowerCase()).toSorted()).toEqual(["httponly", "path=/"])
      }),
      { numRuns },
    )
  })

  it("as an address is exactly one, which stays as it is when it is read again, or is refused as such", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          several,
          fc.emailAddress(),
          fc.tuple(several, several).map((parts) => parts.join("@")),
        ),
        (typed) => {
          const outcome = outcomeOf(() => normalizeAddress(typed))
          if ("error" in outcome) {
            expect(outcome.error).toBeInstanceOf(EmailAddressRefused)
            return
          }
          expect(isOneAddress(outcome.value)).toBe(true)
          expect(outcome.value).toMatch(/^[^\s,;:<>()[\]\\"@]+@[^\s,;:<>()[\]\\"@]+$/)
          expect(outcome.value.normalize("NFKC")).toBe(outcome.value)
          expect(normalizeAddress(outcome.value)).toBe(outcome.value)
        },
      ),
      { numRuns },
    )
  })

  it("as JSON is an object of its own members, or nothing", () => {
    fc.assert(
      fc.property(fc.oneof(several, fc.json()), (value) => {
        const members = parseMembers(value)
        if (members !== undefined) expect(members).toEqual(JSON.parse(value))
      }),
      { numRuns },
    )
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined()
  })

  it("as an address of the network is one of a fixed form, or none", () => {
    fc.assert(
      fc.property(fc.oneof(several, fc.ipV4(), fc.ipV6()), (value) => {
        expect(networkOf(value) ?? "0.0.0.0").toMatch(/^(\d+(\.\d+){3}|[0-9a-f]+(:[0-9a-f]+){3})$/)
      }),
      { numRuns },
    )
  })

  it("as a host is loopback only when a URL says so as well", () => {
    holds((value) => {
      if (!isLoopbackHost(value) || !URL.canParse(`http://${value}/`)) return
      const { hostname } = new URL(`http://${value}/`)
      expect(hostname).toMatch(/^(127\.\d+\.\d+\.\d+|\[::1\]|([a-z0-9-]+\.)*localhost)$/)
    })
  })

  it("on a page is text: it opens no tag and ends no attribute", () => {
    holds((value) => {
      const page = renderHtml(html`<p title="${value}">${value}</p>`)
      expect(page.match(/</g)).toHaveLength(2)
      expect(page.match(/"/g)).toHaveLength(2)
    })
  })

  it("in a message is on one line, and no longer than a name may be", () => {
    holds((value) => {
      expect(onOneLine(value)).not.toMatch(/[\r\n\u2028\u2029]/)
      expect(hasControlCharacters(quoted(value).replaceAll("\t", ""))).toBe(false)
      expect(quoted(value).length).toBeLessThan(2000)
    })
  })

  it("as a parameter leads nowhere else", () => {
    holds((value) => {
      const url = withParams("https://app.test/in", { error: value })
      expect(new URL(url).origin + new URL(url).pathname).toBe("https://app.test/in")
      expect(hasControlCharacters(url)).toBe(false)
      expect(outcomeOf(() => pathSegment(value))).toHaveProperty("value")
    })
  })
})

const readers: Readonly<Record<string, (value: string) => unknown>> = {
  parseCookies,
  normalizeAddress,
  parseMembers,
  networkOf,
  isLoopbackHost,
  onOneLine,
  quoted,
  html: (value) => renderHtml(html`${value}`),
  withParams: (value) => withParams("/in", { value }),
  serialiseCookie: (value) => serialiseCookie("name", value, {}),
}

describe.each(Object.keys(readers))("%s", (name) => {
  it.each([
    "a",
    " ",
    "\t",
    "(",
    "<",
    "@",
    ".",
    ":",
    ";",
    "=",
    "%",
    "\\",
    '"',
    "[",
    "{",
    "a@",
    "a.",
    "; a=",
    "ﷺ",
    "\ud800",
  ])(
    "reads or refuses half a million of %j in a second",
    { tags: ["threat:A-108", "threat:AL-01", "threat:AL-20"] },
    (piece) => {
      const value = piece.repeat(500_000 / piece.length)
      const { user, system } = process.cpuUsage()
      outcomeOf(() => readers[name]?.(value))
      const spent = process.cpuUsage({ user, system })
      expect((spent.user + spent.system) / 1_000_000).toBeLessThan(1)
    },
  )
})
