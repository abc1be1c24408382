/** The life of passkeys in the demo, in a browser with an authenticator: added, named, used, removed, and refused where that is due. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Finger, plugInAuthenticator } from "../support/authenticator.js"
import { openChromium } from "../support/chromium.js"
import { type Demo, startDemo } from "./support/demo.js"
import { Person } from "./support/person.js"

let browser: Browser
let demo: Demo
let data: string
let count = 0

beforeAll(async () => {
  browser = await openChromium()
  data = await mkdtemp(join(tmpdir(), "latchkey-demo-"))
  demo = await startDemo({ strategy: "database", data, port: 3300 })
}, 600_000)
afterAll(async () => {
  await demo?.stop()
  await browser?.close()
  await rm(data, { recursive: true, force: true })
})

const freshAddress = (): string => `keyholder${++count}@mail.test`

/** Somebody who began with a passkey. */
async function keyholder(): Promise<{ person: Person; finger: Finger; email: string }> {
  const person = await Person.arrive(browser, demo.origin)
  const finger = await plugInAuthenticator(person.page)
  const email = freshAddress()
  await person.beginWithPasskey(email, finger)
  return { person, finger, email }
}

async function openPasskeys(person: Person): Promise<void> {
  await person.openAccount()
  await person.clickLink("Manage your passkeys")
  await person.headed("Your passkeys")
}

const listed = (person: Person): Promise<number> => person.page.locator(".keys li").count()

describe("the page of passkeys", () => {
  it("adds one for somebody who is signed in, who then signs in by it while typing", async () => {
    const person = await Person.arrive(browser, demo.origin)
    const finger = await plugInAuthenticator(person.page)
    const email = freshAddress()
    await person.signInByLink(email)
    await openPasskeys(person)
    await person.sees("You have no passkeys yet.")
    await finger.touchFor(() => person.clickButton("Add a passkey"))
    await person.sees("The passkey was added.")
    await person.fits()
    await person.picture("passkeys")
    expect(await listed(person)).toBe(1)
    await person.clickLink("Back to the site")
    await person.headed("Your account")
    await person.signOut()
    await finger.takeOffers()
    await person.clickLink(/^Sign in$/)
    await person.headed(`Hello, ${email}`)
    await openPasskeys(person)
    await person.sees(/Last used/)
    await person.leave()
  })

  it("has a second passkey of another device, which signs in as well", async () => {
    const { person, email } = await keyholder()
    // The same person at a second device, which has no passkey yet.
    const there = new Person({
      page: await (await browser.newContext({ storageState: await person.context.storageState() })).newPage(),
      origin: demo.origin,
      complaints: [],
    })
    const finger = await plugInAuthenticator(there.page)
    await there.page.goto(demo.origin)
    await openPasskeys(there)
    await finger.touchFor(() => there.clickButton("Add a passkey"))
    await there.sees("The passkey was added.")
    expect(await listed(there)).toBe(2)
    await there.clickLink("Back to the site")
    await there.signOut()
    await there.usePasskey(finger)
    await there.headed(`Hello, ${email}`)
    await Promise.all([person.leave(), there.leave()])
  })

  it("does not add a second passkey of the same device", async () => {
    const { person, finger } = await keyholder()
    await openPasskeys(person)
    await finger.takeOffers()
    await person.clickButton("Add a passkey")
    await person.sees("This device already has a passkey for this account.")
    expect(await listed(person)).toBe(1)
    await person.leave()
  })

  it("renames a passkey and removes it, after which it is refused", async () => {
    const { person, finger, email } = await keyholder()
    const [before] = await finger.copy()
    await openPasskeys(person)
    await person.clickLink(/^Rename/)
    await person.headed("Rename this passkey")
    await person.page.getByLabel("Name", { exact: true }).fill("The key on my desk")
    await person.clickButton("Save")
    await person.sees("The passkey was renamed.")
    await person.clickLink("Remove The key on my desk")
    await person.headed("Remove this passkey?")
    await person.clickButton("Remove")
    await person.sees("The passkey was removed. It no longer signs you in.")
    expect(await listed(person)).toBe(0)
    await person.clickLink("Back to the site")
    await person.sees("You have none yet.")
    await person.signOut()
    if ((await finger.copy()).length === 0 && before) await finger.keepCopies([before])
    await person.usePasskey(finger)
    await person.sees("Signing in did not start.")
    expect(await person.page.getByText(email).count()).toBe(0)
    await person.leave()
  })

  it("asks the browser to forget a passkey that was removed", async () => {
    const { person, finger } = await keyholder()
    const knows = await person.page.evaluate(() => "signalUnknownCredential" in PublicKeyCredential)
    expect(knows, "a browser with the signal API").toBe(true)
    await openPasskeys(person)
    expect(await finger.copy()).toHaveLength(1)
    await person.clickLink(/^Remove/)
    await person.clickButton("Remove")
    await person.sees("The passkey was removed.")
    await expect.poll(async () => (await finger.copy()).length).toBe(0)
    await person.leave()
  })

  it("leads to a new sign-in, which leads back, where the sign-in has become too old since the page was opened", async () => {
    const holder = await keyholder()
    // Its console may say that a request was refused.
    const page = await holder.person.context.newPage()
    const person = new Person({ page, origin: demo.origin, complaints: [] })
    await page.goto(demo.origin)
    await openPasskeys(person)
    const url = `${demo.origin}/auth/signin`
    const refusal = { error: "insufficient_user_authentication", message: "Sign in again.", max_age: 900, url }
    await page.route("**/auth/webauthn-options/**", (route) => route.fulfill({ status: 401, json: refusal }))
    await person.clickButton("Add a passkey")
    await page.waitForURL("**/auth/signin?**")
    await person.sees("Please sign in to see this page.")
    const back = new URL(page.url()).searchParams.get("callbackUrl")
    expect(back).toMatch(`${demo.origin}/auth/passkeys`)
    await person.leave()
  })

  it("works without JavaScript: rename and remove", async () => {
    const { person } = await keyholder()
    const storageState = await person.context.storageState()
    const plain = await Person.arrive(browser, demo.origin, { javaScriptEnabled: false, storageState })
    await openPasskeys(plain)
    expect(await plain.page.locator("main").innerText()).toContain("Passkeys need JavaScript.")
    expect(await plain.page.getByRole("button").count()).toBe(0)
    await plain.clickLink(/^Rename/)
    await plain.page.getByLabel("Name", { exact: true }).fill("Phone")
    await plain.clickButton("Save")
    await plain.clickLink("Remove Phone")
    await plain.headed("Remove this passkey?")
    await plain.clickLink("Cancel")
    await plain.clickLink("Remove Phone")
    await plain.clickButton("Remove")
    await plain.sees("The passkey was removed.")
    await Promise.all([person.leave(), plain.leave()])
  })

  it("asks whoever is not signed in to sign in, and comes back", async () => {
    const person = await Person.arrive(browser, demo.origin)
    await person.page.goto(`${demo.origin}/auth/passkeys`)
    await person.headed("Sign in")
    await person.sees("Please sign in to see this page.")
    await person.useIdentity("Ada Byron")
    await person.headed("Your passkeys")
    await person.leave()
  })
})

it("refuses a copy of a passkey whose counter is behind, and does not let the copy sign in", async () => {
  const { person, finger, email } = await keyholder()
  const copies = await finger.copy()
  await person.signOut()
  await person.usePasskey(finger)
  await person.headed(`Hello, ${email}`)

  const thief = await Person.arrive(browser, demo.origin)
  const copied = await plugInAuthenticator(thief.page)
  await copied.keepCopies(copies)
  await thief.usePasskey(copied)
  await thief.sees("Signing in did not start.")
  await Promise.all([person.leave(), thief.leave()])
})
