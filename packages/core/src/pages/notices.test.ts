import { describe, expect, it } from "vitest"
import { renderHtml } from "../std/html.js"
import { english } from "../texts/wording.js"
import { confirmPage, verifyRequestPage } from "./email.js"
import { errorPage } from "./error.js"
import type { PageParts } from "./layout.js"
import { signoutPage } from "./signout.js"

const theme = {}
const wording = english
const urls = { homeUrl: "https://app.test", signinUrl: "https://app.test/auth/signin" }
const textOf = async (parts: Promise<PageParts>): Promise<string> => renderHtml((await parts).html)

describe("the error page", () => {
  it.each([
    ["[spec error-page Configuration]", "Configuration", "Signing in is not working", false],
    ["[spec error-page AccessDenied]", "AccessDenied", "Access denied", true],
    ["[spec error-page Verification]", "Verification", "This link no longer works", true],
    ["no value", undefined, "Something went wrong", false],
    ["an empty value", "", "Something went wrong", false],
    ["markup [HT-23]", "Configuration<script>", "Something went wrong", false],
    ["a member of all objects [HT-25]", "__proto__", "Something went wrong", false],
    ["a method of all objects [HT-25]", "toString", "Something went wrong", false],
    ["the maker of all objects [HT-25]", "constructor", "Something went wrong", false],
    ["an unknown value [A-042]", "<svg/onload=1>", "Something went wrong", false],
  ])("%s: %j reads %j", async (_, error, heading, offersSignin) => {
    const text = await textOf(errorPage({ theme, wording, error, ...urls }))
    expect(text).toContain(`<h1>${heading}</h1>`)
    expect(text).not.toMatch(/function|native code|\[object/)
    expect(text.includes('<a class="primary" href="https://app.test/auth/signin">Sign in</a>')).toBe(offersSignin)
    expect(text).toContain('<a href="https://app.test">Back to the site</a>')
  })

  it.each([
    ["aB3dE5gH7jK9", true],
    ["aB3dE5gH7jK", false],
    ["aB3dE5gH7jK9x", false],
    ["aB3dE5gH7jK9\n", false],
    ["<b>aB3dE5gH<", false],
    [undefined, false],
  ])("prints the incident %j: %s", async (incident, isShown) => {
    const text = await textOf(errorPage({ theme, wording, error: "Configuration", incident, ...urls }))
    expect(text.includes("Reference:")).toBe(isShown)
    expect(text.includes(`<code>${incident}</code>`)).toBe(isShown)
  })
})

describe("the sign-out page", () => {
  it("asks by a POST with token and return address and does nothing by itself [spec action signout GET]", {
    tags: ["threat:V7-13", "threat:CS-13"],
  }, async () => {
    const view = {
      theme,
      wording,
      signoutUrl: "https://app.test/auth/signout",
      csrfToken: "tok",
      returnTo: "https://app.test/a?b=1&c",
    }
    const text = await textOf(signoutPage(view))
    expect(text).toContain(
      '<form action="https://app.test/auth/signout" method="post"><input type="hidden" name="csrfToken" value="tok"><input type="hidden" name="callbackUrl" value="https://app.test/a?b=1&amp;c"><button ',
    )
    expect(text).toContain('<a href="https://app.test/a?b=1&amp;c">Stay signed in</a>')
    expect(text).not.toContain("<script")
  })
})

describe("the confirm page", () => {
  it("says whose link it is and posts it by its one button", async () => {
    const action = "https://app.test/auth/callback/email?token=t&email=v%40victim.test"
    const text = await textOf(confirmPage({ theme, wording, email: "v@victim.test", action }))
    expect(text).toContain("<bdi><strong>v@victim.test</strong></bdi>")
    expect(text).toContain(`<form action="${action.replace("&", "&amp;")}" method="post"><button class="primary">`)
    expect(text.match(/<button/g)).toHaveLength(1)
  })
})

describe("the verify-request page", () => {
  it("says that a link is on its way and leads back [spec action verify-request GET]", async () => {
    const text = await textOf(
      verifyRequestPage({ theme, wording, homeUrl: "https://app.test", signinUrl: "https://app.test/auth/signin" }),
    )
    expect(text).toContain("<h1>Check your email</h1>")
    expect(text).toContain('<a href="https://app.test">Back to the site</a>')
    expect(text).toContain('<a href="https://app.test/auth/signin">Use another address</a>')
    expect(text).not.toContain("<form")
  })

  it("asks for another link with the address that the tab knows, after a while", async () => {
    const again = { action: "https://app.test/auth/signin/nodemailer", csrfToken: "t", returnTo: "https://app.test/a" }
    const text = await textOf(verifyRequestPage({ theme, wording, homeUrl: "/", signinUrl: "/", again }))
    expect(text).toContain(
      '<form action="https://app.test/auth/signin/nodemailer" method="post" data-with-address hidden><input type="hidden" name="csrfToken" value="t"><input type="hidden" name="callbackUrl" value="https://app.test/a"><input type="hidden" name="email" data-address><button class="provider plain" data-wait="',
    )
    const [, waits = ""] = /data-wait="([^"]*)">Send it again<\/button><p class="status"><\/p><\/form>/.exec(text) ?? []
    const texts = JSON.parse(waits.replaceAll("&quot;", '"'))
    expect(texts).toHaveLength(31)
    expect([texts[0], texts[1], texts[30]]).toEqual([
      "",
      "You can send it again in 1 second.",
      "You can send it again in 30 seconds.",
    ])
  })
})

describe("the page of a link that is over", () => {
  const newLink = { action: "https://app.test/auth/signin/nodemailer", csrfToken: "t", provider: "nodemailer" }
  const urls = { homeUrl: "/", signinUrl: "/auth/signin" }

  it("mails a new one, where links are mailed", async () => {
    const text = await textOf(errorPage({ theme, wording, error: "Verification", newLink, ...urls }))
    expect(text).toContain('<form action="https://app.test/auth/signin/nodemailer" method="post" data-recall>')
    expect(text).toContain('<button class="primary">Email me a new link</button>')
  })

  it.each(["AccessDenied", "Configuration"])("is the only one that does: not that of %s", async (error) => {
    expect(await textOf(errorPage({ theme, wording, error, newLink, ...urls }))).not.toContain("<form")
  })
})
