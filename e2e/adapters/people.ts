/** People that one adapter writes and another has to find again, with everything that is theirs. */
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { expect } from "vitest"

/** What one adapter wrote about somebody. */
export interface Written {
  readonly user: AdapterUser
  readonly account: { readonly provider: string; readonly providerAccountId: string }
  readonly session: { readonly sessionToken: string; readonly expires: Date }
  readonly link: { readonly identifier: string; readonly token: string; readonly expires: Date }
}

/** How two adapters differ on the same tables. */
export interface Tolerance {
  /** Milliseconds that a time may have moved, because the columns hold whole seconds. */
  readonly precision: number
}

type Operations = Required<Adapter>

const soon = (milliseconds: number): Date => new Date(Date.now() + 30 * 86_400_000 + milliseconds)

/** Strings that change where bytes are taken for characters, where strings are normalised, or where they are compared loosely. */
const drafts = [
  {
    name: "Ada \u{1f511} e\u0301 漢字",
    email: "ada@example.test",
    emailVerified: new Date("2026-01-02T03:04:05.678Z"),
  },
  { name: null, email: "zoë'\"\\%_@example.test", emailVerified: null },
] as const

/** Somebody without an address, as the engine hands them to an adapter. */
const withoutAddress = (adapter: Adapter) => ({
  name: "No Address",
  email: adapter.emptyEmail ? "" : (null as unknown as string),
  emailVerified: null,
})

/** Writes everybody: with an address that is proven, with one that is not, and without one where the tables allow it. */
export async function writePeople(adapter: Adapter, tag: string, isAddressRequired: boolean): Promise<Written[]> {
  const written: Written[] = []
  const people = isAddressRequired ? drafts : [...drafts, withoutAddress(adapter)]
  for (const [at, draft] of people.entries()) {
    const { createUser, linkAccount, createSession, createVerificationToken } = adapter as Operations
    const email = draft.email ? `${tag}-${draft.email}` : draft.email
    const given = { ...draft, id: globalThis.crypto.randomUUID(), email, image: `https://example.test/${at}.png` }
    const user = { ...given, id: (await createUser(given)).id }
    const account = { provider: "example", providerAccountId: `${tag}-Ünïque-${at}` }
    const tokens = { access_token: "access", expires_at: 1_900_000_000, scope: "openid email" }
    await linkAccount({ ...account, ...tokens, type: "oidc", userId: user.id })
    const session = { sessionToken: `${tag}-session-${at}`, expires: soon(at + 123) }
    await createSession({ ...session, userId: user.id })
    const link = { identifier: `${tag}-${at}@example.test`, token: `${tag}-link-${at}`, expires: soon(at + 456) }
    await createVerificationToken(link)
    written.push({ user, account, session, link })
  }
  return written
}

function isAt(found: unknown, expected: Date, { precision }: Tolerance): void {
  expect(found).toBeInstanceOf(Date)
  expect(Math.abs((found as Date).getTime() - expected.getTime())).toBeLessThanOrEqual(precision)
}

function isUser(found: AdapterUser | null | undefined, user: AdapterUser, tolerance: Tolerance): void {
  expect(found).toMatchObject({ name: user.name, image: user.image })
  expect(String(found?.id)).toBe(String(user.id))
  // For no address some adapters expect the empty string, others null.
  expect(found?.email || null).toBe(user.email || null)
  if (user.emailVerified) isAt(found?.emailVerified, user.emailVerified, tolerance)
  else expect(found?.emailVerified).toBeNull()
}

/** Reads every user back, in every way that a sign-in and a request do, and consumes their links. */
export async function findPeople(adapter: Adapter, people: readonly Written[], tolerance: Tolerance): Promise<void> {
  const it = adapter as Operations
  for (const { user, account, session, link } of people) {
    isUser(await it.getUser(user.id), user, tolerance)
    if (user.email) isUser(await it.getUserByEmail(user.email), user, tolerance)
    isUser(await it.getUserByAccount(account), user, tolerance)
    const found = await it.getSessionAndUser(session.sessionToken)
    isUser(found?.user, user, tolerance)
    expect(String(found?.session.userId)).toBe(String(user.id))
    isAt(found?.session.expires, session.expires, tolerance)
    const { identifier, token } = link
    const used = await it.useVerificationToken({ identifier, token })
    expect(used).toMatchObject({ identifier, token })
    isAt(used?.expires, link.expires, tolerance)
    expect(await it.useVerificationToken({ identifier, token })).toBeNull()
  }
}
