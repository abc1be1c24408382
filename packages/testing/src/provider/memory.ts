/** The storage of `oidc-provider`: one map for all its models. */
import type { Adapter, AdapterPayload } from "oidc-provider"

/** The model of one name, in a store that all models share. */
export function createMemoryModel(name: string, store: Map<string, object>): Adapter {
  const key = (id: string): string => `${name}:${id}`
  const find = async (id: string): Promise<AdapterPayload | undefined> =>
    store.get(key(id)) as AdapterPayload | undefined
  const findBy = async (member: "uid" | "userCode", value: string): Promise<AdapterPayload | undefined> =>
    [...store].find(
      ([entry, payload]) => entry.startsWith(`${name}:`) && (payload as AdapterPayload)[member] === value,
    )?.[1] as AdapterPayload | undefined
  return {
    find,
    findByUid: (uid) => findBy("uid", uid),
    findByUserCode: (userCode) => findBy("userCode", userCode),
    upsert: async (id, payload) => {
      const now = Date.now() / 1000
      for (const [entry, { exp }] of store as Map<string, AdapterPayload>) if (exp && exp < now) store.delete(entry)
      store.set(key(id), payload)
    },
    consume: async (id) => {
      store.set(key(id), { ...(await find(id)), consumed: Math.floor(Date.now() / 1000) })
    },
    destroy: async (id) => {
      store.delete(key(id))
    },
    revokeByGrantId: async (grantId) => {
      for (const [entry, payload] of store) if ((payload as AdapterPayload).grantId === grantId) store.delete(entry)
    },
  }
}
