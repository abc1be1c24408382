/** What can be wrong with operations on authenticators, and with removing users. */
import { type Fault, faulty } from "./fault.js"

export const authenticatorFaults: readonly Fault[] = [
  faulty(
    "takes every credential for backed up",
    ["createAuthenticator answers the authenticator, and getAuthenticator finds it"],
    (good) => ({ createAuthenticator: (row) => good.createAuthenticator({ ...row, credentialBackedUp: true }) }),
  ),
  faulty(
    "hands a credential to whoever registers it last",
    ["createAuthenticator refuses a credential that is there already"],
    (good) => ({
      createAuthenticator: async (row) =>
        (await good.getAuthenticator(row.credentialID)) ? row : await good.createAuthenticator(row),
    }),
  ),
  faulty("throws for an unknown credential", ["getAuthenticator answers null for an unknown credential"], (good) => ({
    async getAuthenticator(id) {
      const found = await good.getAuthenticator(id)
      if (!found) throw new Error("no row")
      return found
    },
  })),
  faulty("lists the first authenticator only", ["listAuthenticatorsByUserId answers none, one or many"], (good) => ({
    listAuthenticatorsByUserId: async (id) => (await good.listAuthenticatorsByUserId(id)).slice(0, 1),
  })),
  faulty(
    "throws for an unknown user",
    ["listAuthenticatorsByUserId answers an empty list for an unknown user"],
    (good) => ({
      async listAuthenticatorsByUserId(id) {
        if (!(await good.getUser(id))) throw new Error("no user")
        return good.listAuthenticatorsByUserId(id)
      },
    }),
  ),
  faulty("keeps counters in 31 bits", ["updateAuthenticatorCounter changes that counter and no other"], (good) => ({
    updateAuthenticatorCounter: (id, counter) => good.updateAuthenticatorCounter(id, counter & 0x7fffffff),
  })),
  faulty(
    "answers nothing when there is nothing to count",
    ["updateAuthenticatorCounter of an unknown credential is refused", "updateAuthenticatorCounter compares exactly"],
    (good) => ({
      updateAuthenticatorCounter: async (id, counter) =>
        (await good.getAuthenticator(id)) ? await good.updateAuthenticatorCounter(id, counter) : (null as never),
    }),
  ),
]

export const removalFaults: readonly Fault[] = [
  faulty("does not remove the user", ["deleteUser removes the user"], () => ({ deleteUser: () => null })),
  faulty(
    "removes the user and leaves what belongs to it",
    [
      "deleteUser removes the user's accounts",
      "an account of a removed user is free again",
      "deleteUser ends the user's sessions",
      "deleteUser removes the user's authenticators",
      "an address of a removed user is free again",
    ],
    (good) => {
      const removed = new Set<string>()
      return {
        deleteUser: (id) => void removed.add(id),
        getUser: async (id) => (removed.has(id) ? null : await good.getUser(id)),
      }
    },
  ),
  faulty("throws when there is nobody to remove", ["deleteUser of an unknown id is no error"], (good) => ({
    async deleteUser(id) {
      if (!(await good.deleteUser(id))) throw new Error("no row")
    },
  })),
]
