import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { entry, tagsOf } from "../../test/pages/corpus.js"
import { signInPageValues } from "../../test/support/page-values.js"
import { renderHtml } from "../std/html.js"
import { english } from "../texts/wording.js"
import { passkeyScript } from "./passkey-script.js"
import { signinErrorText } from "./sign-in-view.js"
import { type SigninView, signinPage } from "./signin.js"
import { inlineText } from "./theme.js"

const base: SigninView = {
  theme: {},
  wording: english,
  providers: [],
  csrfToken: "token",
  returnTo: "https://app.test/deep?a=1&b",
}
const textOf = async (view: Partial<SigninView>): Promise<string> =>
  renderHtml((await signinPage({ ...base, ...view })).html)
const hidden =
  '<input type="hidden" name="csrfToken" value="token"><input type="hidden" name="callbackUrl" value="https://app.test/deep?a=1&amp;b">'
const fields = { username: { label: "User name" }, password: { label: "Password", type: "password" } }

const visitor = {
  name: "v@victim.test",
  addsAccounts: true,
  signoutUrl: "https://app.test/auth/signout",
  signinUrl: "https://app.test/auth/signin?callbackUrl=%2Fa",
}

describe("somebody who is signed in", () => {
  const password = entry("credentials", "credentials", { fields })

  it.each([
    ["oauth", true],
    ["oidc", true],
    ["webauthn", true],
    ["email", false],
    ["credentials", false],
  ])("reads what %s does: adds an account is %s", async (type, adds) => {
    const text = await textOf({ providers: [entry("a", type, { fields })], visitor })
    expect(text.includes("adds it to this account")).toBe(adds)
    expect(text.includes("signs you out of this account first")).toBe(!adds)
  })

  it("reads that nothing is added where it is not", async () => {
    const providers = [entry("a", "oauth"), password]
    expect(await textOf({ providers, visitor: { ...visitor, addsAccounts: false } })).toContain("signs you out")
  })

  it("gets no sentence about missing methods, and no name if there is none", async () => {
    const text = await textOf({ visitor: { ...visitor, name: undefined } })
    expect(text).toContain("<h1>You are signed in</h1>")
    expect(text).not.toMatch(/adds it|signs you out|Your account/)
  })

  it("may sign out with the token, and finds this page again", async () => {
    expect(await textOf({ visitor })).toContain(
      '<form action="https://app.test/auth/signout" method="post"><input type="hidden" name="csrfToken" value="token"><input type="hidden" name="callbackUrl" value="https://app.test/auth/signin?callbackUrl=%2Fa"><button class="provider">Sign out</button></form>',
    )
  })

  it("is called by a name that cannot be markup", async () => {
    const text = await textOf({ visitor: { ...visitor, name: "<img src=x>" } })
    expect(text).toContain("<bdi><strong>&lt;img src=x&gt;</strong></bdi>")
  })
})

describe("forms", () => {
  it.each(["oauth", "oidc"])(
    "gives a provider of type %s one button that posts token and return address [spec provider name] [spec action signin GET]",
    async (type) => {
      const text = await textOf({ providers: [entry("acme", type, { name: "Acme & Co" })] })
      expect(text).toContain(
        `<form action="https://app.test/auth/signin/acme" method="post">${hidden}<button class="provider" data-provider="acme">`,
      )
      expect(text).toContain("<span>Continue with Acme &amp; Co</span></button></form>")
    },
  )

  it("gives an e-mail provider a field for the address, filled from what was typed before", {
    tags: ["threat:HT-30"],
  }, async () => {
    const text = await textOf({ providers: [entry("nodemailer", "email")], email: 'v@victim.test"' })
    expect(text).toContain(`<form action="https://app.test/auth/signin/nodemailer" method="post">${hidden}`)
    const input = tagsOf(text).find(({ attributes }) => attributes.get("name") === "email")
    expect(Object.fromEntries(input?.attributes ?? [])).toMatchObject({
      id: "input-email-for-nodemailer-provider",
      type: "email",
      autocomplete: "username",
      value: "v@victim.test&quot;",
      required: "",
    })
    expect(text).toContain('<label for="input-email-for-nodemailer-provider">')
  })

  it("posts credentials to the callback, one labelled field each", async () => {
    const text = await textOf({ providers: [entry("credentials", "credentials", { fields })] })
    expect(text).toContain(`<form action="https://app.test/auth/callback/credentials" method="post">${hidden}`)
    expect(text).toContain(
      '<label for="input-username-for-credentials-provider">User name</label><input id="input-username-for-credentials-provider" name="username" type="text" autocomplete="username">',
    )
    expect(text).toContain(
      '<input id="input-password-for-credentials-provider" name="password" type="password" autocomplete="current-password" data-secret="">',
    )
  })

  it("marks form, fields and button of a passkey for the script", async () => {
    const text = await textOf({
      providers: [
        entry("passkey", "webauthn", {
          fields: { email: { label: "Email", autocomplete: "username webauthn" } },
          optionsUrl: "https://app.test/auth/webauthn-options/passkey",
          conditional: true,
        }),
      ],
    })
    const tags = tagsOf(text)
    expect(Object.fromEntries(tags.find(({ name }) => name === "form")?.attributes ?? [])).toEqual({
      action: "https://app.test/auth/callback/passkey",
      method: "post",
      id: "passkey-form",
      "data-passkey": "passkey",
      "data-options-url": "https://app.test/auth/webauthn-options/passkey",
      "data-conditional": "true",
      "data-texts": expect.stringContaining("&quot;followBrowser&quot;:&quot;Follow the steps"),
    })
    expect(text).toContain(
      '<input id="input-email-for-passkey-provider" name="email" type="text" autocomplete="username webauthn" data-form-field="passkey" data-address="">',
    )
    expect(text).toContain('<button class="primary" id="submitButton-passkey">')
    expect(text).toContain("<noscript>")
  })

  it("lists credentials and WebAuthn only with fields, and the rest always", async () => {
    const labels = async (providers: SigninView["providers"]): Promise<string[]> =>
      tagsOf(await textOf({ providers })).flatMap(({ name, attributes }) =>
        name === "form" ? (attributes.get("action") ?? "").replace("https://app.test/auth/", "") : [],
      )
    expect(
      await labels([entry("a", "credentials"), entry("b", "webauthn"), entry("c", "oidc"), entry("d", "email")]),
    ).toEqual(["signin/c", "signin/d"])
    expect(await labels([entry("a", "credentials", { fields: {} }), entry("b", "webauthn", { fields: {} })])).toEqual([
      "callback/a",
      "callback/b",
    ])
    expect(await textOf({})).toContain("No sign-in method is set up.")
  })

  it("puts the buttons together, and what has fields behind them or, where it comes first, before", async () => {
    const providers = [
      entry("a", "oauth"),
      entry("c", "email"),
      entry("d", "oauth"),
      entry("e", "credentials", { fields }),
    ]
    const shapeOf = async (given: SigninView["providers"]): Promise<string> =>
      [...(await textOf({ providers: given })).matchAll(/class="or[ "]|action="[^"]*\/([a-z])"/g)]
        .map(([, id]) => id ?? "|")
        .join("")
    expect(await shapeOf(providers)).toBe("ad|c|e")
    expect(await shapeOf([...providers.slice(1), ...providers.slice(0, 1)])).toBe("c|e|da")
  })

  it("leaves out what it does not have: no token when the protection is off, no return address when none was given", async () => {
    const text = await textOf({ providers: [entry("a", "oauth")], csrfToken: undefined, returnTo: undefined })
    expect(text).toContain('<form action="https://app.test/auth/signin/a" method="post"><button')
  })
})

it("lists the sources of the providers' marks, each once", async () => {
  const logos = ["/a.svg", "/b.svg", "data:image/png;base64,AA", "https://cdn.test/c.svg"]
  const { imageSources } = await signinPage({
    ...base,
    providers: logos.map((logo, index) => entry(`p${index}`, "oauth", { style: { logo } })),
  })
  expect(imageSources).toEqual(["'self'", "data:", "https://cdn.test"])
})

describe("the passkey script", () => {
  const passkey = entry("passkey", "webauthn", { fields: {} })
  const offer = { providers: [{ ...passkey, conditional: true }] }

  it.each(["Signin", "Callback", "OAuthAccountNotLinked", "OAuthCreateAccount"])(
    "offers no passkey by itself after one may have been refused with %s",
    async (error) => {
      expect(await textOf({ ...offer, error })).toContain('data-conditional="false"')
    },
  )

  it.each([undefined, "", "SessionRequired", "CredentialsSignin", "EmailSignin"])(
    "offers passkeys by itself with %j",
    async (error) => {
      expect(await textOf({ ...offer, error })).toContain('data-conditional="true"')
    },
  )

  it("offers no passkey by itself to somebody who is signed in, however often an application sends them here", async () => {
    const text = await textOf({ ...offer, error: "SessionRequired", visitor })
    expect(text).toContain('data-conditional="false"')
    // By hand it is there: a passkey is added that way.
    expect(text).toContain('id="submitButton-passkey"')
  })

  it("stands in the page, with its hash, when a passkey is offered, and otherwise not", async () => {
    const withPasskey = await signinPage({ ...base, providers: [passkey], passkeyScript })
    expect(renderHtml(withPasskey.html)).toContain(`<script>${passkeyScript.text}</script>`)
    expect(withPasskey.scriptHashes).toEqual([passkeyScript.hash])
    const without = await signinPage({
      ...base,
      providers: [entry("a", "oauth"), entry("b", "webauthn")],
      passkeyScript,
    })
    expect(renderHtml(without.html)).not.toContain("<script")
    expect(without.scriptHashes).toEqual([])
  })

  it("has the hash that is declared for it", async () => {
    expect(passkeyScript.hash).toBe((await inlineText(passkeyScript.text)).hash)
  })
})

describe("errors", () => {
  it.each([
    ["[spec signin-page Signin]", "Signin", /did not start/],
    ["[spec signin-page OAuthSignin]", "OAuthSignin", /cannot be reached/],
    ["[spec signin-page OAuthCallbackError]", "OAuthCallbackError", /did not complete the sign-in/],
    ["[spec signin-page OAuthCreateAccount]", "OAuthCreateAccount", /could not be created.*another way/],
    ["[spec signin-page EmailCreateAccount]", "EmailCreateAccount", /could not be created.*new link/],
    ["[spec signin-page Callback]", "Callback", /did not complete/],
    ["[spec signin-page OAuthAccountNotLinked]", "OAuthAccountNotLinked", /another method to sign in before/],
    ["[spec signin-page EmailSignin]", "EmailSignin", /email could not be sent/],
    ["[spec signin-page CredentialsSignin]", "CredentialsSignin", /did not match/],
    ["[spec signin-page SessionRequired]", "SessionRequired", /sign in to see/],
  ])("%s has its own words", async (_, error, words) => {
    expect(await textOf({ error })).toMatch(words)
    // Being asked to sign in is no mishap.
    const isMishap = error !== "SessionRequired"
    expect((await textOf({ error })).includes('<div class="alert" role="alert"><p>')).toBe(isMishap)
  })

  it("has no two values with the same words, but for what must look alike", () => {
    const texts = signInPageValues.map((value) => signinErrorText({ error: value, wording: english }))
    expect(new Set(texts).size).toBe(signInPageValues.length)
  })

  it.each(["MissingCSRF", "__proto__", "constructor", "toString", "<x>"])(
    "says only that it failed for the unknown value %j",
    { tags: ["threat:HT-25", "threat:A-042", "threat:A-075"] },
    async (error) => {
      expect(signinErrorText({ error, wording: english })).toBe("You could not be signed in.")
      expect(await textOf({ error })).not.toContain(`>${error}<`)
    },
  )

  it.each([undefined, ""])("says nothing for %j", async (error) => {
    expect(await textOf({ error })).not.toContain('role="alert"')
  })

  it("prints the incident with the error, never alone", async () => {
    expect(await textOf({ error: "Callback", incident: "aB3dE5gH7jK9" })).toContain(
      "Reference: <code>aB3dE5gH7jK9</code>",
    )
    expect(await textOf({ incident: "aB3dE5gH7jK9" })).not.toContain("Reference")
  })
})

it("shows the colours of providers with a logo by classes, in a style element that the policy knows [spec shape button-style]", async () => {
  const style = { logo: "/a.svg", brandColor: "#123456" }
  const page = await signinPage({
    theme: {},
    wording: english,
    providers: [entry("plain", "oauth", { style: { logo: "/b.svg" } }), entry("own", "oidc", { style })],
  })
  const text = renderHtml(page.html)
  const rule = ".tint-0:hover{border-color:#123456}"
  expect(text).toContain(`<style>${rule}</style>`)
  expect(text.match(/class="provider tint-0"/g)).toHaveLength(1)
  expect(text).not.toMatch(/ style=/)
  expect(page.styleHashes).toContain(`sha256-${createHash("sha256").update(rule).digest("base64")}`)
})
