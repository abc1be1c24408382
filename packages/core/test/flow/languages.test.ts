/** The language of what people see: of every page, of mails, and of the pages of a provider. */
import { describe, expect, it } from "vitest"
import { signInMessage } from "../../src/providers/mail/message.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { Provider, SendVerificationRequestParams } from "../../src/types/provider.js"
import { makeWorld } from "../support/world.js"

const swedish = {
  "signin.heading": "Logga in",
  "signout.nobody": "Du är inte inloggad",
  "verify.heading": "Titta i din inkorg",
  "error.AccessDenied": "Åtkomst nekad",
  "mail.button": "Öppna",
  incident: "Ärende: {id}",
} as const
const world = (config: Partial<AuthConfig>) => makeWorld({ config: { texts: { sv: swedish }, ...config } })
const accept = (language: string) => ({ "accept-language": language })

const pages = [
  ["signin", "Logga in"],
  ["signout", "Du är inte inloggad"],
  ["verify-request", "Titta i din inkorg"],
  ["error?error=AccessDenied", "Åtkomst nekad"],
] as const

describe("every page", () => {
  it.each(pages)("%s is in the language that the browser accepts, and says so", async (path, heading) => {
    const { text, headers } = await (await world({ language: "auto" })).browser().get(`/auth/${path}`, accept("sv-SE"))
    expect(text).toContain('<html lang="sv" data-scheme="auto">')
    expect(text).toContain(`<h1>${heading}</h1>`)
    expect([headers.get("content-language"), headers.get("vary")]).toEqual(["sv", "Cookie, Accept-Language"])
  })

  it.each(pages)("%s is English for applications that say nothing, whatever the browser accepts", async (path) => {
    const { text, headers } = await (await world({})).browser().get(`/auth/${path}`, accept("sv"))
    expect(text).toContain('<html lang="en" data-scheme="auto">')
    expect([headers.get("content-language"), headers.get("vary")]).toEqual(["en", "Cookie"])
  })
})

it("is written from the right in Arabic, and in the script that a reader of Chinese knows", async () => {
  const { browser } = await world({ language: "auto" })
  expect((await browser().get("/auth/signin", accept("ar-EG"))).text).toContain(
    '<html lang="ar" dir="rtl" data-scheme="auto">',
  )
  expect((await browser().get("/auth/signin", accept("zh-CN"))).text).toContain('<html lang="zh-Hans" data-scheme')
  expect((await browser().get("/auth/signin", accept("zh-TW,en;q=0.5"))).text).toContain('<html lang="en" data-scheme')
})

describe("the option language", () => {
  const langOf = async (config: Partial<AuthConfig>, language: string): Promise<string | undefined> => {
    const { text } = await (await world(config)).browser().get("/auth/signin", accept(language))
    return /<html lang="([^"]+)"/.exec(text)?.[1]
  }

  it.each([
    ["sv", "en", "sv"],
    ["auto", "xx", "en"],
    [["sv", "en"], "en-GB", "en"],
    [["sv", "en"], "xx", "sv"],
    [["en"], "sv", "en"],
    [() => "sv-FI", "en", "sv"],
    [() => undefined, "sv", "sv"],
    [() => "xx", "en", "en"],
    [({ url }: { url: string }) => new URL(url).pathname.slice(1, 3), "sv", "sv"],
  ] as const)("%j chooses for %j the language %s", async (language, header, lang) => {
    expect(await langOf({ language: language as AuthConfig["language"] }, header)).toBe(lang)
  })

  it("may be a function that fails: it is logged, and the browser decides", async () => {
    const language = () => {
      throw new Error("no cookie")
    }
    const { browser, errors } = await world({ language })
    expect((await browser().get("/auth/signin", accept("sv"))).text).toContain('<html lang="sv"')
    expect(errors.map(({ message }) => message)).toEqual(["The function `language` failed."])
  })

  it.each([
    [{ language: "sw" }, '"language": expected "auto", a function, or one or several of en'],
    [{ language: [] }, '"language": expected'],
    [
      { texts: { sv: { "signin.headline": "x" } } },
      '"texts.sv": expected a key of the texts, received the string "signin.headline"',
    ],
    [
      { texts: { sv: { "signin.heading": 1 } } },
      '"texts.sv": expected a string, or an object of plural forms with "other", received 1',
    ],
    [
      { texts: { "signin.heading": "x" } },
      '"texts": expected language tags (BCP 47), received the string "signin.heading"',
    ],
  ] as const)("%j is reported", async (config, message) => {
    const { errors } = await makeWorld({ config: config as Partial<AuthConfig> })
    expect(errors.map((error) => error.message).join("\n")).toContain(message)
  })
})

it("writes the mail in the language of who asked for it", async () => {
  const sent: SendVerificationRequestParams[] = []
  const post = {
    id: "post",
    name: "Post",
    type: "email",
    sendVerificationRequest: (params: SendVerificationRequestParams) => void sent.push(params),
  } as Provider
  const config = { language: "auto", texts: { sv: swedish } } as const
  const { browser } = await makeWorld({ config, more: [post] })
  await browser().post("/auth/signin/post", { email: "a@app.test" }, { headers: accept("sv") })
  expect(sent.map((params) => signInMessage(params).html)).toEqual([expect.stringContaining(">Öppna</a>")])
})

describe("a provider of OpenID Connect", () => {
  const sent = async (config: Partial<AuthConfig>): Promise<string | null> => {
    const { location } = await (await world(config)).browser().post("/auth/signin/op", {}, { headers: accept("sv") })
    return new URL(location ?? "").searchParams.get("ui_locales")
  }

  it("gets the language of the page", async () => {
    expect(await sent({ language: "auto" })).toBe("sv")
  })

  it("gets none where the application says nothing of languages: its own choice is better then", async () => {
    expect(await sent({})).toBeNull()
  })
})
