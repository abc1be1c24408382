/** Which adapter operations a configuration will call. The engine looks them up when it calls them; this lists them beforehand. */
import type { Adapter, AuthInspection } from "@latchkey/core"

/** What the configuration came to. */
export type Settings = AuthInspection

/** Operations that some use of the service calls. */
export interface Need {
  /** What needs them, as an end of "for ...". */
  readonly use: string
  readonly applies: (settings: Settings) => boolean
  readonly operations: readonly (keyof Adapter)[]
}

/** Something that is better with an operation than without. */
export interface Advice {
  readonly applies: (settings: Settings) => boolean
  /** One of these is enough. */
  readonly anyOf: readonly (keyof Adapter)[]
  /** What happens without. */
  readonly without: string
}

const offers =
  (...types: readonly string[]) =>
  ({ providers }: Settings): boolean =>
    [...providers.values()].some(({ type }) => types.includes(type))

const isDatabase = ({ strategy }: Settings): boolean => strategy === "database"

export const needs: readonly Need[] = [
  {
    use: "database sessions",
    applies: isDatabase,
    operations: ["createSession", "getSessionAndUser", "updateSession", "deleteSession"],
  },
  {
    use: "sign-in with OAuth and OpenID Connect",
    applies: offers("oauth", "oidc"),
    operations: ["getUserByAccount", "getUserByEmail", "createUser", "linkAccount"],
  },
  {
    use: "sign-in by e-mail",
    applies: offers("email"),
    operations: ["createVerificationToken", "useVerificationToken", "getUserByEmail", "createUser", "updateUser"],
  },
  {
    use: "credentials with database sessions",
    applies: (settings) => isDatabase(settings) && offers("credentials")(settings),
    operations: ["getUser"],
  },
  {
    use: "passkeys",
    applies: offers("webauthn"),
    operations: [
      "getUserByAccount",
      "getUserByEmail",
      "getUser",
      "createUser",
      "linkAccount",
      "getAccount",
      "getAuthenticator",
      "createAuthenticator",
      "listAuthenticatorsByUserId",
      "updateAuthenticatorCounter",
    ],
  },
]

const registers = offers("oauth", "oidc", "email", "webauthn")

/** A first sign-in that a crash interrupts between its two writes is completed at the next one. */
const isCrashSafe = ({ store }: Settings): boolean => store.has("transaction") || store.has("createUserWithAccount")

/** What holds for first sign-ins, where the adapter has the operations for it. */
export function promiseOf(settings: Settings): string | undefined {
  if (!settings.store.isPresent || !registers(settings) || !isCrashSafe(settings)) return undefined
  return "First sign-ins at the same time make one user; one that a crash interrupts is completed at the next sign-in."
}

export const advice: readonly Advice[] = [
  {
    applies: registers,
    anyOf: ["transaction", "createUserWithAccount"],
    without:
      "A first sign-in writes a user and an account in two steps. When the process is killed between them, the address " +
      "belongs to a user without any account; an error between them is undone through deleteUser.",
  },
  {
    applies: (settings) => registers(settings) && !isCrashSafe(settings),
    anyOf: ["deleteUser"],
    without: "An error between the two steps of a first sign-in leaves a user without an account.",
  },
  {
    applies: (settings) => !isDatabase(settings) && registers(settings),
    anyOf: ["getUser"],
    without: "With jwt sessions, an account cannot be linked to the person who is signed in by its stored user.",
  },
  {
    applies: offers("webauthn"),
    anyOf: ["unlinkAccount"],
    without: "Somebody who is signed out cannot register a passkey for an address.",
  },
  {
    applies: (settings) => isDatabase(settings) && offers("webauthn")(settings),
    anyOf: ["deleteSessionsByUserId"],
    without:
      "Sessions that began before the owner of an address signs in by mail end one at a time, and those with session tokens of your own do not end.",
  },
  {
    applies: offers("email"),
    anyOf: ["linkAccount"],
    without: "Sign-ins by e-mail leave no account row.",
  },
]
