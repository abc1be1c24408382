/** A passkey authenticator plugged into the browser, which a person touches or leaves alone. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import type { Page } from "playwright-core"

/** A passkey as the authenticator keeps it, with private key and counter. */
export interface Credential {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly privateKey: string
  readonly signCount: number
  readonly rpId?: string
  readonly userHandle?: string
}

/** The touch of a person: requests without it are never answered. */
export interface Finger {
  /** Does something that asks the authenticator, and touches it. */
  touchFor(action: () => Promise<void>): Promise<void>
  /** From now on takes whatever passkey is offered, also one offered while typing. */
  takeOffers(): Promise<void>
  /** Adds a passkey that the site `rpId` does not know: left from an account that was deleted. */
  keepForgotten(rpId: string): Promise<void>
  /** What it keeps: as many passkeys as there are, with their counters. */
  copy(): Promise<readonly Credential[]>
  /** Keeps copies of passkeys, as somebody does who read them out of another authenticator. */
  keepCopies(credentials: readonly Credential[]): Promise<void>
}

/** Gives a page's browser an authenticator that stores passkeys and verifies its person. */
export async function plugInAuthenticator(page: Page): Promise<Finger> {
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      if (options?.mediation === "conditional") document.documentElement.dataset["offered"] = "yes"
      return get(options)
    }
  })
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  const setPresence = (enabled: boolean): Promise<unknown> =>
    session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
  return {
    takeOffers: async () => void (await setPresence(true)),
    async keepForgotten(rpId) {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
      const credential = {
        credentialId: randomBytes(32).toString("base64"),
        userHandle: randomBytes(16).toString("base64"),
        privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
        isResidentCredential: true,
        signCount: 0,
        rpId,
      }
      await session.send("WebAuthn.addCredential", { authenticatorId, credential })
    },
    async copy() {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId })
      return credentials
    },
    async keepCopies(credentials) {
      for (const credential of credentials)
        await session.send("WebAuthn.addCredential", { authenticatorId, credential })
    },
    async touchFor(action) {
      const used = new Promise((resolve) => {
        session.once("WebAuthn.credentialAdded", resolve)
        session.once("WebAuthn.credentialAsserted", resolve)
      })
      // A touch before the page offers passkeys would accept the offer instead.
      await page.waitForFunction(
        () => !document.querySelector("form[data-conditional=true]") || document.documentElement.dataset["offered"],
      )
      await setPresence(true)
      await action()
      await within(15_000, used, "The authenticator was not asked for anything.")
      await setPresence(false)
    },
  }
}

async function within<T>(milliseconds: number, awaited: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(complaint)), milliseconds)
  })
  return Promise.race([awaited, limit]).finally(() => clearTimeout(timer))
}
