/** The sign-in page as data, and what the built-in page draws from it. */
import { describe, expect, it } from "vitest"
import { entry, tagsOf } from "../../test/pages/corpus.js"
import { renderHtml } from "../std/html.js"
import { english } from "../texts/wording.js"
import { passkeyScript } from "./passkey-script.js"
import { type SigninFacts, signInViewOf } from "./sign-in-view.js"
import { type SigninView, signinPage } from "./signin.js"

const password = entry("credentials", "credentials", {
  fields: {
    email: { label: "Email", type: "email" },
    password: { label: "Password", type: "password", required: true },
  },
})
const userName = entry("names", "credentials", { fields: { user: {}, password: { type: "password" } } })
const mail = entry("nodemailer", "email")
const passkey = entry("passkey", "webauthn", {
  fields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } },
  optionsUrl: "https://app.test/auth/webauthn-options/passkey",
  conditional: true,
})
const github = entry("github", "oauth", { name: "GitHub", style: { logo: "/github.svg", brandColor: "#24292f" } })

const viewOf = (facts: Partial<SigninFacts>) => signInViewOf({ wording: english, providers: [], ...facts })
const pageOf = async (view: Partial<SigninView>): Promise<string> =>
  renderHtml((await signinPage({ theme: {}, wording: english, providers: [], passkeyScript, ...view })).html)
const inputsIn = (text: string) => tagsOf(text).filter(({ name }) => name === "input")

describe("ways that need an address", () => {
  it("share one field and one form, whose first button signs in by password", () => {
    const { forms, passkeys } = viewOf({ providers: [mail, password, passkey] })
    expect(forms).toHaveLength(1)
    expect(forms[0]?.fields.map(({ name, type }) => [name, type])).toEqual([
      ["email", "email"],
      ["password", "password"],
    ])
    expect(forms[0]?.buttons).toEqual([
      { id: "credentials", label: "Sign in", action: password.callbackUrl, needsAddressOnly: false },
      { id: "nodemailer", label: "Email me a link", action: mail.signinUrl, needsAddressOnly: true },
    ])
    expect(passkeys.map(({ id, label, isOffered }) => [id, label, isOffered])).toEqual([
      ["passkey", "Sign in with a passkey", true],
    ])
  })

  it("ask for it in one field that password managers and passkeys fill", async () => {
    const text = await pageOf({ providers: [mail, password, passkey] })
    const addresses = inputsIn(text).filter(({ attributes }) => attributes.get("name") === "email")
    expect(addresses.map(({ attributes }) => attributes.get("autocomplete"))).toEqual(["username webauthn"])
    expect(addresses[0]?.attributes.get("data-form-field")).toBe("passkey")
  })

  it("work without a script as one form with two submits, of which the second needs no password", async () => {
    const text = await pageOf({ providers: [mail, password] })
    const submits = tagsOf(text).filter(
      ({ name, attributes }) => name === "button" && attributes.get("type") !== "button",
    )
    expect(submits.map(({ attributes }) => [attributes.get("formaction"), attributes.has("formnovalidate")])).toEqual([
      [undefined, false],
      ["https://app.test/auth/signin/nodemailer", true],
    ])
    expect(text).toContain(`<form action="${password.callbackUrl}" method="post" data-first>`)
  })

  it.each([
    { title: "more than one", providers: [mail, password], isFirst: true },
    { title: "a password alone", providers: [password], isFirst: false },
    { title: "a link alone", providers: [mail], isFirst: false },
    { title: "a password that was chosen", providers: [password, mail], chosen: "credentials", isFirst: false },
  ])("$title: the address comes first is $isFirst", ({ providers, chosen, isFirst }) => {
    expect(viewOf({ providers, chosen }).forms[0]?.asksAddressFirst).toBe(isFirst)
  })

  it("leave a password out where a link was chosen, and lead to the other ways", async () => {
    const chosen = { providers: [mail, password], chosen: "nodemailer" }
    expect(viewOf(chosen).forms.map(({ buttons }) => buttons.map(({ id }) => id))).toEqual([["nodemailer"]])
    expect(await pageOf({ ...chosen, otherWaysUrl: "/auth/signin" })).toContain(
      '<a href="/auth/signin">More ways to sign in</a>',
    )
  })

  it.each([
    ["a link alone", [mail], "nodemailer", false],
    ["a password beside a link", [password, mail], "credentials", false],
    ["a provider beside everything", [github, mail, password, passkey], "github", false],
    ["a link beside a provider and a passkey", [mail, github, passkey], "nodemailer", false],
    ["a link beside a form that asks for a name", [mail, userName], "nodemailer", true],
    ["nothing", [mail, password], undefined, false],
  ])("lead to other ways only where there are some: with %s chosen", async (_, providers, chosen, isThere) => {
    const page = await pageOf({ providers, chosen, otherWaysUrl: "/auth/signin" })
    expect(page.includes('<a href="/auth/signin">More ways to sign in</a>')).toBe(isThere)
  })

  it("leave one that asks for a name to a form of its own, and say which is which", () => {
    const { forms } = viewOf({ providers: [password, userName] })
    expect(forms.map(({ buttons }) => buttons.map(({ label }) => label))).toEqual([
      ["Sign in with credentials"],
      ["Sign in with names"],
    ])
  })
})

describe("at most one button", () => {
  it.each([
    ["everything", { providers: [github, mail, password, passkey, userName] }],
    ["passkeys alone", { providers: [passkey] }],
    ["a link", { providers: [mail] }],
    [
      "somebody who is signed in",
      { providers: [mail, password], visitor: { addsAccounts: true, signoutUrl: "/out", signinUrl: "/in" } },
    ],
  ])("is the main one with %s", async (_, view) => {
    const text = await pageOf(view)
    const main = tagsOf(text).filter(({ attributes }) => attributes.get("class") === "primary")
    // The script shows one of two steps: the button of the first stands beside that of the second.
    const inSight = main.filter(({ attributes }) => !attributes.has("data-next"))
    expect(inSight).toHaveLength(1)
  })
})

describe("providers", () => {
  it("have a label, a mark, a colour, and what their form posts to", () => {
    expect(viewOf({ providers: [github] }).providers).toEqual([
      {
        id: "github",
        name: "GitHub",
        label: "Continue with GitHub",
        action: "https://app.test/auth/signin/github",
        mark: "/github.svg",
        colour: "#24292f",
        isLastUsed: false,
      },
    ])
  })

  it("say what their owner asks for, under the name that people know", () => {
    const styles = [{}, { label: "Microsoft" }, { label: "Microsoft", verb: "signIn" as const }]
    const providers = styles.map((style, index) => entry(`p${index}`, "oidc", { name: "Microsoft Entra ID", style }))
    expect(viewOf({ providers }).providers.map(({ label, name }) => [label, name])).toEqual([
      ["Continue with Microsoft Entra ID", "Microsoft Entra ID"],
      ["Continue with Microsoft", "Microsoft Entra ID"],
      ["Sign in with Microsoft", "Microsoft Entra ID"],
    ])
  })

  it("of a crowd stand behind a line that opens, but for the one that was used last", async () => {
    const providers = "abcdefgh".split("").map((id) => entry(id, "oauth"))
    const text = await pageOf({ providers, lastUsed: "h" })
    const [shown = "", hidden = ""] = text.split("<details>")
    expect([...shown.matchAll(/signin\/([a-h])"/g)].map(([, id]) => id).join("")).toBe("habcd")
    expect([...hidden.matchAll(/signin\/([a-h])"/g)].map(([, id]) => id).join("")).toBe("efg")
    expect(shown).toContain('<span class="last">Last used</span>')
  })
})

describe("what went wrong", () => {
  it("with a password stands beside its field, which is open, and nowhere else", async () => {
    const facts = { providers: [mail, password], error: "CredentialsSignin" }
    const { forms, message } = viewOf(facts)
    expect(message).toBeUndefined()
    expect(forms[0]?.fields.map(({ name, error }) => [name, error])).toEqual([
      ["email", undefined],
      ["password", english.text("signin.error.CredentialsSignin")],
    ])
    const text = await pageOf(facts)
    expect(text).not.toContain('role="alert"')
    expect(text).not.toContain("data-first")
    expect(inputsIn(text).filter(({ attributes }) => attributes.get("aria-invalid") === "true")).toHaveLength(1)
  })

  it("with an address stands beside it", () => {
    const { forms } = viewOf({ providers: [mail], error: "EmailSignin" })
    expect(forms[0]?.fields[0]?.error).toBe(english.text("signin.error.EmailSignin"))
  })

  it("stands above where it is not plain which form it belongs to", () => {
    const { forms, message } = viewOf({ providers: [password, userName], error: "CredentialsSignin" })
    expect(message).toEqual({ text: english.text("signin.error.CredentialsSignin"), isError: true })
    expect(forms.flatMap(({ fields }) => fields.map(({ error }) => error)).filter(Boolean)).toEqual([])
  })
})

it("says the name of the application, and leads to its pages", async () => {
  const links = { signUp: "/join", forgotPassword: "/forgot", help: "/help", terms: "javascript:alert(1)" }
  const text = await pageOf({ theme: { name: "Acme & Co" }, providers: [password], links })
  expect(text).toContain("<h1>Sign in to Acme &amp; Co</h1>")
  expect(text).toContain('<a href="/join">New here? Create an account</a>')
  expect(text).toContain('<a href="/forgot">Forgot your password?</a>')
  expect(text).toContain('<a href="/help">Help</a>')
  expect(text).toContain('<a href="/">Terms</a>')
  expect(text).not.toContain("Privacy")
})

it("posts the token and the return address with every form, and neither where there is none", () => {
  expect(viewOf({ csrfToken: "t", returnTo: "https://app.test/a" }).hidden).toEqual({
    csrfToken: "t",
    callbackUrl: "https://app.test/a",
  })
  expect(viewOf({}).hidden).toEqual({})
})
