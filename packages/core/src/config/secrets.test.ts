import { describe, expect, it } from "vitest"
import { secret as good, resolveWith } from "../../test/support/resolve-config.js"

const production = { NODE_ENV: "production" }

const check = (secret: string | string[], env: Record<string, string> = {}, jwt?: { secret: string }) => {
  const { problems, warnings } = resolveWith({ secret, ...(jwt && { jwt }) }, { env })
  return { problems: problems.map(({ message }) => message), warnings }
}

describe("a secret", () => {
  it.each([
    "secret",
    "fifteen-charact",
    "your-secret-here",
    "a secret of at least 32 characters",
    // A guide had it.
    "at-least-thirty-two-random-characters",
    "x".repeat(40),
  ])("that can be guessed is refused in production: %s", { tags: ["threat:CF2-10"] }, (secret) => {
    const { problems } = check(secret, production)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^Weak secret: "secret": expected a random string of at least 32 characters/)
    expect(problems[0]).toMatch(/received a string of \d+ characters\. Set "secret", or AUTH_SECRET/)
    expect(check(secret, { NODE_ENV: "development" }).problems).toEqual([])
  })

  it("that can be guessed is refused in a list and for tokens as well", { tags: ["threat:CF2-10"] }, () => {
    expect(check([good, "changeme"], production).problems).toHaveLength(1)
    expect(check(good, production, { secret: "secret" }).problems[0]).toContain('"jwt.secret"')
  })

  it("of sixteen characters works in production, with a warning", { tags: ["threat:CF2-10"] }, () => {
    expect(check("sixteen-charactr", production)).toEqual({ problems: [], warnings: ["secret-too-short"] })
  })

  it("of 32 random characters is right", () => {
    expect(check(good, production)).toEqual({ problems: [], warnings: [] })
  })
})

describe("secrets", () => {
  it.each([
    ["missing", undefined],
    ["null", null],
    ["empty", ""],
    ["blank", "   "],
    ["an empty list", []],
    ["a list with an empty member", [good, ""]],
    ["a number", 5],
    ["a list with a number", [good, 5]],
  ])("that are %s are a problem", { tags: ["threat:CF2-10"] }, (_, value) => {
    expect(resolveWith({ secret: value }).problems.map(({ type }) => type)).toEqual(["MissingSecret"])
  })

  it("that are short are a warning only, wherever they stand [spec limits secret-length]", () => {
    for (const short of ["x", [good, "y".repeat(31)]]) {
      expect(resolveWith({ secret: short })).toMatchObject({ problems: [], warnings: ["secret-too-short"] })
    }
    expect(resolveWith({ jwt: { secret: "short" } }).warnings).toEqual(["secret-too-short"])
    expect(resolveWith({}).warnings).toEqual([])
  })

  it("come from the environment when the configuration has none", () => {
    expect(resolveWith({ secret: "" }, { env: { AUTH_SECRET: good } })).toMatchObject({
      problems: [],
      jwt: { secret: good },
    })
  })

  it("of tokens are checked as well", () => {
    expect(resolveWith({ jwt: { secret: "" } }).problems[0]?.message).toMatch(/^"jwt\.secret": expected/)
  })

  it("that are invalid are named by their kind", () => {
    const messageOf = (value: unknown) => resolveWith({ secret: value }).problems[0]?.message
    expect(messageOf([good, 424_242])).toContain("received a number.")
    expect(messageOf([good, ""])).toContain("received an empty string.")
    expect(messageOf([])).toContain("received an empty list.")
    expect(messageOf(undefined)).toContain("received nothing.")
  })

  it("are never shown", () => {
    const { problems } = resolveWith({ secret: [`${good}-hush`, ""], jwt: { secret: { hush: "hush" } } })
    expect(problems).toHaveLength(2)
    expect(problems.map(({ message }) => message).join()).not.toContain("hush")
  })
})
