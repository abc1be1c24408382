/** What can be wrong with operations on users. */
import type { AdapterUser } from "../../../src/types/identity.js"
import { type Fault, faulty } from "./fault.js"

export const userFaults: readonly Fault[] = [
  faulty(
    "answers the given id and stores another",
    ["the id that createUser answers names the user, whether the given one was kept or not"],
    (good) => ({
      createUser: async (user) => ({ ...(await good.createUser({ ...user, id: `own-${user.id}` })), id: user.id }),
    }),
  ),
  faulty("forgets the image", ["createUser answers the user as stored, and getUser finds it"], (good) => ({
    createUser: (user) => good.createUser({ ...user, image: null }),
  })),
  faulty("writes to the user it is given", ["createUser does not write to what it is given"], (good) => ({
    createUser: (user) => good.createUser(Object.assign(Object.isFrozen(user) ? { ...user } : user, { id: "mine" })),
  })),
  faulty(
    "hands out the owner of a taken address as if it had been created",
    ["createUser refuses an address that another user has"],
    (good) => ({
      createUser: async (user) => (await good.getUserByEmail(user.email)) ?? (await good.createUser(user)),
    }),
  ),
  faulty("takes the empty address for an address", ["users without an address do not collide"], (good) => ({
    createUser: (user) => good.createUser({ ...user, email: user.email || "none@example.test" }),
  })),
  faulty("invents a user for an unknown id", ["getUser answers null for an unknown id"], (good) => ({
    getUser: async (id) => (await good.getUser(id)) ?? { id, email: "", emailVerified: null },
  })),
  faulty("has numbers for ids and does not know their text", ["getUser finds a user by the text of its id"], (good) => {
    const ids = new Map<number, string>()
    return {
      async createUser(user) {
        const stored = await good.createUser(user)
        ids.set(ids.size + 1, stored.id)
        return { ...stored, id: ids.size as unknown as string }
      },
      getUser: (id) => good.getUser(ids.get(id as unknown as number) ?? ""),
    }
  }),
  faulty("answers the newest user for every address", ["getUserByEmail finds the owner of an address"], (good) => {
    let newest: AdapterUser | null = null
    return {
      async createUser(user) {
        newest = await good.createUser(user)
        return newest
      },
      getUserByEmail: () => newest,
    }
  }),
  faulty("throws where nothing is found", ["getUserByEmail answers null for an unknown address"], (good) => ({
    async getUserByEmail(email) {
      const user = await good.getUserByEmail(email)
      if (!user) throw new Error("not found")
      return user
    },
  })),
  faulty(
    "empties what an update does not give",
    ["updateUser changes what is given, keeps the rest and answers the whole user"],
    (good) => ({ updateUser: (patch) => good.updateUser({ name: null, image: null, ...patch }) }),
  ),
  faulty("keeps an old index of addresses", ["updateUser moves a user to another address"], (good) => {
    const index = new Map<string, string>()
    return {
      async createUser(user) {
        const stored = await good.createUser(user)
        index.set(stored.email, stored.id)
        return stored
      },
      getUserByEmail: (email) => good.getUser(index.get(email) ?? ""),
    }
  }),
  faulty("is silent about a taken address", ["updateUser refuses an address that another user has"], (good) => ({
    async updateUser(patch) {
      try {
        return await good.updateUser(patch)
      } catch {
        return (await good.getUser(patch.id)) as AdapterUser
      }
    },
  })),
  faulty(
    "creates the user that an update does not find",
    ["updateUser of an unknown id is refused", "updateUser of an unknown id makes no user"],
    (good) => ({
      updateUser: async (patch) =>
        (await good.getUser(patch.id))
          ? await good.updateUser(patch)
          : await good.createUser({ email: "", emailVerified: null, ...patch }),
    }),
  ),
  faulty("hands out the object it keeps", ["a user handed out is a copy"], (good) => {
    const kept = new Map<string, AdapterUser | null>()
    return {
      async getUser(id) {
        if (!kept.has(id)) kept.set(id, await good.getUser(id))
        return kept.get(id) ?? null
      },
    }
  }),
  faulty("makes ids from a short counter", ["one person may be stored many times over"], (good) => {
    let count = 0
    return {
      createUser(user) {
        count = (count + 1) % 10
        return good.createUser({ ...user, id: String(count) })
      },
    }
  }),
]
