/** Sample rows, and the unusual strings and times that cases go through. */
import type { AdapterAccount, AdapterAuthenticator, AdapterSession, VerificationToken } from "@latchkey/core/adapters"
import type { AdapterUser, JsonValue } from "@latchkey/core/types"
import type { Kit } from "./case.js"

/** A time that lies ahead and that instants of 32 bits hold; its milliseconds are not zero. */
export const later = (): Date => new Date("2037-03-04T05:06:07.089Z")

/** A time in the past. */
export const longAgo = (): Date => new Date("2001-02-03T04:05:06.078Z")

/** How many start at once in cases about concurrency. */
export const crowd: readonly number[] = Array.from({ length: 20 }, (_, index) => index)

/** A user that has not been stored. */
export function draftUser(kit: Kit, members: Partial<AdapterUser> = {}): AdapterUser {
  return Object.freeze({
    id: globalThis.crypto.randomUUID(),
    name: "Ada Lovelace",
    email: `${kit.fresh("ada")}@example.test`,
    image: "https://example.test/ada.png",
    emailVerified: null,
    ...members,
  })
}

/** The address of a user who has none, as the adapter is given it. */
export const noAddress = ({ adapter }: Kit): Pick<AdapterUser, "email"> =>
  ({ email: adapter.emptyEmail === true ? "" : null }) as Pick<AdapterUser, "email">

/** A stored user. */
export async function newUser(kit: Kit, members: Partial<AdapterUser> = {}): Promise<AdapterUser> {
  return await kit.adapter.createUser(draftUser(kit, members))
}

/** An account that has not been stored. */
export function draftAccount(kit: Kit, userId: string, members: Partial<AdapterAccount> = {}): AdapterAccount {
  return Object.freeze({
    provider: "example",
    providerAccountId: kit.fresh("account"),
    type: "oauth",
    userId,
    ...members,
  } satisfies AdapterAccount)
}

/** Every token member an account may have. */
export const accountTokens: Partial<AdapterAccount> = Object.freeze({
  access_token: "access.token-1",
  refresh_token: "refresh/token+1=",
  id_token: "header.claims.signature",
  token_type: "bearer",
  scope: "openid profile email",
  expires_at: 4_102_444_800,
  session_state: "state-1",
})

/** JSON values, and strings that look like other JSON values. */
export const jsonValues: readonly JsonValue[] = [
  "state-1",
  { nested: { list: ["a", 1, null, true] } },
  ["a", { b: 2 }],
  7,
  0,
  true,
  false,
  "7",
  "true",
  "null",
  '{"a":1}',
  '"quoted"',
  ' {"a":1}',
  "",
]

/** A stored account. */
export async function newAccount(
  kit: Kit,
  userId: string,
  members: Partial<AdapterAccount> = {},
): Promise<AdapterAccount> {
  const account = draftAccount(kit, userId, members)
  await kit.adapter.linkAccount(account)
  return account
}

/** A session that has not been stored. */
export function draftSession(kit: Kit, userId: string, members: Partial<AdapterSession> = {}): AdapterSession {
  return Object.freeze({ sessionToken: kit.fresh("session"), userId, expires: later(), ...members })
}

/** A stored session. */
export async function newSession(
  kit: Kit,
  userId: string,
  members: Partial<AdapterSession> = {},
): Promise<AdapterSession> {
  const session = draftSession(kit, userId, members)
  await kit.adapter.createSession(session)
  return session
}

/** A stored verification token. */
export async function newToken(kit: Kit, members: Partial<VerificationToken> = {}): Promise<VerificationToken> {
  const identifier = `${kit.fresh("ada")}@example.test`
  const token = Object.freeze({ identifier, token: kit.fresh("hash"), expires: later(), ...members })
  await kit.adapter.createVerificationToken(token)
  return token
}

/** An authenticator that has not been stored. */
export function draftAuthenticator(
  kit: Kit,
  userId: string,
  members: Partial<AdapterAuthenticator> = {},
): AdapterAuthenticator {
  const credentialID = kit.fresh("credential")
  return Object.freeze({
    credentialID,
    userId,
    providerAccountId: credentialID,
    credentialPublicKey: "pQECAyYgASFYIA+/==",
    counter: 7,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: "internal,hybrid",
    ...members,
  })
}

/** A stored authenticator. */
export async function newAuthenticator(
  kit: Kit,
  userId: string,
  members: Partial<AdapterAuthenticator> = {},
): Promise<AdapterAuthenticator> {
  const authenticator = draftAuthenticator(kit, userId, members)
  await kit.adapter.createAuthenticator(authenticator)
  return authenticator
}

/** Strings that must be read as they were written. */
export const unusualTexts: readonly string[] = [
  "Zoë Ünïcode",
  "e\u0301 decomposed",
  "\u00e9 composed",
  "名前 имя اسم שם",
  "👩‍👩‍👧‍👦 family",
  "\u202eright to left",
  "line\nbreak\ttab\r\nend",
  "'; drop table users; --",
  `quotes ' " \` and \\ and \\' and $$`,
  "100% _under_ *star? [set] {brace} $.path $1 ?1 :name @name",
  "null",
  "undefined",
  "true",
  "007",
  "1e3",
  "9007199254740993",
  "{}",
  '["json"]',
  "__proto__",
  "constructor",
  " spaces around ",
  "a:b:c",
  "/path?query=1&two=2#hash",
  "x".repeat(255),
]

/** Pairs that a loose comparison takes for each other: what is stored, and what is asked for. */
export const confusablePairs: readonly (readonly [stored: string, asked: string])[] = [
  ["victim", "Victim"],
  ["victim", "victim "],
  ["victim ", "victim"],
  ["victim", " victim"],
  ["victim", "victi"],
  ["victim", "victims"],
  ["victim", "v%"],
  ["victim", "vi_tim"],
  ["victim", "v*"],
  ["victim", "v?ctim"],
  ["v%", "victim"],
  ["victim", "v\u00edctim"],
  ["\u00e9", "e\u0301"],
  ["\uff56ictim", "victim"],
  ["stra\u00dfe", "strasse"],
  ["7", "07"],
  ["7", "7.0"],
  ["1000", "1e3"],
  ["9007199254740993", "9007199254740992"],
  ["victim", "victim\t"],
]

/** Times that change where they are not stored in UTC with milliseconds. */
export const unusualTimes: readonly string[] = [
  "2099-03-04T05:06:07.001Z",
  "2099-03-04T05:06:07.999Z",
  "2099-12-31T23:59:59.999Z",
  "2096-02-29T12:00:00.500Z",
  "2038-01-19T03:14:08.123Z",
  "2040-03-25T01:30:00.250Z",
  "2040-10-28T01:30:00.250Z",
  "2099-06-15T00:00:00.000Z",
]
