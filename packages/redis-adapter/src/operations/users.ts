/** Operations on users. Everything about people shares one hash slot, so each change is one script: made as a whole or not at all. */
import { randomUUID } from "node:crypto"
import type { Adapter, AdapterAccount, AdapterAuthenticator, AdapterUser } from "@latchkey/core/adapters"
import { apply, type Step, untilSettled } from "../changes.js"
import { type Desk, rowAt, textAt } from "../desk.js"
import type { Promised } from "../promised.js"
import { decode, encode, given, isStorable, wholeUser } from "../values.js"
import { accountRow, ownerOf, vacantRow } from "./accounts.js"
import { authenticatorRow } from "./credentials.js"

type UserOperations = Promised<
  Pick<
    Adapter,
    | "createUser"
    | "createUserWithAccount"
    | "getUser"
    | "getUserByEmail"
    | "getUserByAccount"
    | "updateUser"
    | "deleteUser"
  >
>

/** The user with an id, or nothing. */
export async function userWithId(desk: Desk, userId: unknown): Promise<AdapterUser | null> {
  return isStorable(String(userId)) ? rowAt<AdapterUser>(desk, desk.keys.user(userId), "user") : null
}

const memberKeys = async ({ connection }: Desk, key: string): Promise<string[]> =>
  ((await connection.send({ key, args: ["SMEMBERS", key], isReading: true })) as unknown[]).map(String)

/** An address that leads to a user who is gone (lost with evicted keys) is free. The condition that says so, if it is. */
async function vacantAddress(desk: Desk, key: string): Promise<readonly Step[] | undefined> {
  const userId = await textAt(desk, key)
  if (userId === null) return [["absent", key]]
  if (await textAt(desk, desk.keys.user(userId))) return undefined
  return [
    ["equals", key, userId],
    ["absent", desk.keys.user(userId)],
  ]
}

/** Says that an address still leads to its user, if it does: once it was lost with evicted keys, it may be somebody else's. */
async function ownAddress(desk: Desk, { id, email }: AdapterUser): Promise<readonly ["equals", string, string][]> {
  const key = email === "" ? undefined : desk.keys.email(email)
  return key !== undefined && (await textAt(desk, key)) === String(id) ? [["equals", key, String(id)]] : []
}

/** Why a user could not be stored. */
function refusal(desk: Desk, [, key]: Step, { id, email }: AdapterUser): Error {
  if (key === desk.keys.user(id)) return new Error("There is a user with this id already.")
  if (key === desk.keys.email(email)) return new Error("Another user has this address.")
  return new Error("The account is linked already, or the credential is registered.")
}

/** What is stored together with a new user. */
interface Belongings {
  readonly account: Omit<AdapterAccount, "userId">
  readonly authenticator?: Omit<AdapterAuthenticator, "userId"> | undefined
}

/** The rows that belong to a new user: their keys, and what is written. */
function belongingRows(
  { keys }: Desk,
  userId: string,
  belongings: Belongings | undefined,
): { readonly keys: readonly string[]; readonly written: readonly Step[] } {
  if (!belongings) return { keys: [], written: [] }
  const account = accountRow({ ...belongings.account, userId } as AdapterAccount)
  const rows = [[keys.account(account.provider, account.providerAccountId), keys.accountsOf(userId), account]] as [
    string,
    string,
    object,
  ][]
  if (belongings.authenticator) {
    const authenticator = authenticatorRow({ ...belongings.authenticator, userId } as AdapterAuthenticator)
    rows.push([keys.authenticator(authenticator.credentialID), keys.authenticatorsOf(userId), authenticator])
  }
  return {
    keys: rows.map(([key]) => key),
    written: rows.flatMap(([key, list, row]): Step[] => [
      ["set", key, encode(row)],
      ["add", list, key],
    ]),
  }
}

/** Stores a user, and what belongs to it, in one script. */
async function create(desk: Desk, draft: AdapterUser, belongings?: Belongings): Promise<AdapterUser> {
  const { keys, connection } = desk
  const user = wholeUser({ ...draft, id: draft.id || randomUUID() })
  const key = keys.user(user.id)
  const emailKey = user.email === "" ? undefined : keys.email(user.email)
  const { keys: belongingKeys, written } = belongingRows(desk, user.id, belongings)
  const changes: readonly Step[] = [
    ["set", key, encode(user)],
    ...(emailKey === undefined ? [] : ([["set", emailKey, String(user.id)]] as const)),
    ...written,
  ]
  const claimed = [...(emailKey === undefined ? [] : [emailKey]), ...belongingKeys]
  const free = new Map<string, readonly Step[]>(claimed.map((name) => [name, [["absent", name]]]))
  return untilSettled(async () => {
    const failed = await apply(connection, [["absent", key], ...[...free.values()].flat(), ...changes])
    if (!failed) return user
    const name = claimed.find((one) => free.get(one)?.includes(failed))
    const vacant = name && (await (name === emailKey ? vacantAddress : vacantRow)(desk, name))
    if (!name || !vacant) throw refusal(desk, failed, user)
    free.set(name, vacant)
    return undefined
  })
}

/** Removes a user with everything that belongs to it, but its sessions. */
function remove(desk: Desk, userId: string): Promise<{ user: AdapterUser | null }> {
  const { keys, connection } = desk
  const key = keys.user(userId)
  return untilSettled(async () => {
    const text = await textAt(desk, key)
    if (text === null) return { user: null }
    const user = decode<AdapterUser>(text, "user")
    const lists = [keys.accountsOf(userId), keys.authenticatorsOf(userId)]
    const owned = await Promise.all(lists.map((list) => memberKeys(desk, list)))
    // What was linked, unlinked or moved to another user meanwhile makes the lists differ, and they are read again.
    const asRead = lists.flatMap((list, index): Step[] => {
      const members = owned[index] ?? []
      return [["counts", list, members.length], ...members.map((member): Step => ["holds", list, member])]
    })
    const address = await ownAddress(desk, user)
    const gone = [key, ...lists, ...owned.flat(), ...address.map(([, name]) => name)]
    const failed = await apply(connection, [
      ["equals", key, text],
      ...address,
      ...asRead,
      ...gone.map((name): Step => ["del", name]),
    ])
    return failed ? undefined : { user }
  })
}

export function userOperations(desk: Desk, endSessions: (userId: string) => Promise<unknown>): UserOperations {
  const { keys, connection } = desk
  return {
    createUser: (user) => create(desk, user),
    createUserWithAccount: (user, account, authenticator) => create(desk, user, { account, authenticator }),
    getUser: (id) => userWithId(desk, id),
    async getUserByEmail(email) {
      if (typeof email !== "string" || email === "") return null
      const userId = await textAt(desk, keys.email(email))
      const user = userId === null ? null : await userWithId(desk, userId)
      // One key for all cases keeps addresses unique; finding one is exact.
      return user?.email === email ? user : null
    },
    getUserByAccount: (account) => ownerOf(desk, account),
    updateUser: ({ id, ...patch }) =>
      untilSettled(async () => {
        const text = isStorable(String(id)) ? await textAt(desk, keys.user(id)) : null
        if (text === null) throw new Error("There is no user with this id.")
        const before = decode<AdapterUser>(text, "user")
        const user = wholeUser({ ...before, ...given(patch), id: before.id })
        const [from, to] = [before.email, user.email].map((email) => (email === "" ? undefined : keys.email(email)))
        const isMoving = from !== to
        const vacant = isMoving && to !== undefined ? await vacantAddress(desk, to) : []
        if (!vacant) throw new Error("Another user has this address.")
        const left = isMoving ? await ownAddress(desk, before) : []
        const failed = await apply(connection, [
          ["equals", keys.user(id), text],
          ...vacant,
          ...left,
          ["set", keys.user(id), encode(user)],
          ...left.map(([, name]): Step => ["del", name]),
          ...(isMoving && to !== undefined ? ([["set", to, String(user.id)]] as const) : []),
        ])
        return failed ? undefined : user
      }),
    async deleteUser(userId) {
      if (!isStorable(String(userId))) return null
      // Before, so that a failure leaves the user unchanged; and after, for sessions that began in between.
      await endSessions(userId)
      const { user } = await remove(desk, userId)
      await endSessions(userId)
      return user
    },
  }
}
