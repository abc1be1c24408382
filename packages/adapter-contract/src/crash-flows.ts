/** The sign-ins that are interrupted, each with what happened before and how the same person signs in afterwards. */
import type { Adapter } from "@latchkey/core/adapters"
import { byMail, byPasskey, byPassword, byProvider, registerPasskey, type Stage, type Strategy } from "./rehearsal.js"
import type { Answer } from "./visitor.js"

/** One kind of sign-in. */
export interface CrashFlow {
  readonly name: string
  /** What the flow asks of a store with transactions, whatever the strategy. */
  readonly needs: readonly (keyof Adapter)[]
  /** What it asks beyond that where sessions are rows. @default [] */
  readonly needsForRows?: readonly (keyof Adapter)[]
  /**
   * What it asks of a store without transactions, where one step has to make user and account. Absent: it heals with
   * neither, and asks for no more than `needs`.
   */
  readonly needsInOneStep?: readonly (keyof Adapter)[]
  readonly strategies: readonly Strategy[]
  /** `false`: people sign in without an account. */
  readonly hasAccount: boolean
  /** What happened before. */
  prepare?(stage: Stage, adapter: Adapter): Promise<unknown>
  go(stage: Stage): Promise<Answer>
  /** How the person signs in after the interruption. @default as before, from the beginning */
  again?(stage: Stage): Promise<unknown>
}

const rows: readonly Strategy[] = ["database"]
/** Without session rows a flow makes a part of the same calls; that part is tested by the flows that create users. */
const both: readonly Strategy[] = ["database", "jwt"]
const reading = ["getUser", "getUserByAccount", "getUserByEmail"] as const
/** Links, and the challenges of passkeys that were answered. */
const mailing = ["createVerificationToken", "useVerificationToken"] as const
const writing = ["createUser", "linkAccount"] as const
const passkeys = ["createAuthenticator", "getAuthenticator"] as const
const proving = ["updateUser"] as const

/** Continues in another browser, without the session. */
const elsewhere = ({ visitor }: Stage): void => visitor.restore(new Map())

/** A passkey is registered once: a person whose passkey was stored signs in with it, others register another. */
async function byPasskeyAgain(stage: Stage): Promise<void> {
  await byPasskey(stage)
  if ((await stage.visitor.whoami()) === undefined) await registerPasskey(stage, { email: stage.person.email })
}

export const crashFlows: readonly CrashFlow[] = [
  {
    name: "a first sign-in at a provider",
    needs: [...reading, ...writing],
    strategies: both,
    hasAccount: true,
    needsInOneStep: [...reading, "createUserWithAccount"],
    go: byProvider,
  },
  {
    name: "a further sign-in at a provider",
    needs: [...reading, ...writing],
    strategies: rows,
    hasAccount: true,
    async prepare(stage) {
      await byProvider(stage)
      elsewhere(stage)
    },
    go: byProvider,
  },
  {
    name: "linking a provider to who is signed in",
    needs: [...reading, ...writing, ...mailing],
    needsForRows: ["deleteSession"],
    strategies: rows,
    hasAccount: true,
    prepare: byMail,
    go: byProvider,
    async again(stage) {
      if ((await stage.visitor.whoami()) === undefined) await byMail(stage)
      await byProvider(stage)
    },
  },
  {
    name: "a first sign-in by mail",
    needs: [...reading, ...writing, ...mailing],
    strategies: both,
    hasAccount: true,
    go: byMail,
  },
  {
    name: "a further sign-in by mail",
    needs: [...reading, ...writing, ...mailing],
    strategies: rows,
    hasAccount: true,
    async prepare(stage) {
      await byMail(stage)
      elsewhere(stage)
    },
    go: byMail,
  },
  {
    name: "a first sign-in by mail of who came by a provider",
    needs: [...reading, ...writing, ...mailing, ...proving],
    strategies: rows,
    hasAccount: true,
    async prepare(stage) {
      await byProvider(stage)
      elsewhere(stage)
    },
    go: byMail,
  },
  {
    name: "a first passkey",
    needs: [...reading, ...writing, ...mailing, ...passkeys, "getAccount", "updateAuthenticatorCounter"],
    strategies: both,
    hasAccount: true,
    needsInOneStep: [
      ...reading,
      ...mailing,
      "createUserWithAccount",
      "getAuthenticator",
      "getAccount",
      "updateAuthenticatorCounter",
    ],
    go: (stage) => registerPasskey(stage, { email: stage.person.email }),
    again: byPasskeyAgain,
  },
  {
    name: "a passkey for who is signed in",
    needs: [...reading, ...writing, ...mailing, ...passkeys, "listAuthenticatorsByUserId"],
    needsForRows: ["deleteSession"],
    strategies: rows,
    hasAccount: true,
    prepare: byMail,
    go: (stage) => registerPasskey(stage, {}),
    again: byMail,
  },
  {
    name: "a sign-in with a passkey",
    needs: [...reading, ...writing, ...mailing, ...passkeys, "getAccount", "updateAuthenticatorCounter"],
    strategies: rows,
    hasAccount: true,
    async prepare(stage) {
      await registerPasskey(stage, { email: stage.person.email })
      elsewhere(stage)
    },
    go: byPasskey,
  },
  {
    name: "a sign-in with a password",
    needs: ["createUser", "getUser", "getUserByEmail"],
    strategies: rows,
    hasAccount: false,
    prepare: async ({ person: { email } }, adapter) =>
      adapter.createUser?.({ id: globalThis.crypto.randomUUID(), name: "Ada", email, emailVerified: null }),
    go: byPassword,
  },
]
