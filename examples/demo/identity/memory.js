/** The storage of the identity provider, as long as the demo runs. */

/** @typedef {import("oidc-provider").AdapterPayload} Payload */

/**
 * Makes the store of one provider: a class, because the provider asks for one object per kind of thing.
 *
 * @returns {import("oidc-provider").AdapterConstructor}
 */
export function createMemory() {
  /** @type {Map<string, { payload: Payload, endsAt: number }>} */
  const rows = new Map()

  return class {
    /** @param {string} kind */
    constructor(kind) {
      this.kind = kind
    }

    /** @param {string} id @param {Payload} payload @param {number} expiresIn */
    async upsert(id, payload, expiresIn) {
      const now = Date.now()
      for (const [key, row] of rows) if (row.endsAt <= now) rows.delete(key)
      rows.set(`${this.kind}:${id}`, { payload, endsAt: expiresIn ? now + expiresIn * 1000 : Number.POSITIVE_INFINITY })
    }

    /** @param {string} id */
    async find(id) {
      const row = rows.get(`${this.kind}:${id}`)
      return row && row.endsAt > Date.now() ? row.payload : undefined
    }

    /** @param {string} uid */
    async findByUid(uid) {
      return this.first((payload) => payload.uid === uid)
    }

    /** @param {string} userCode */
    async findByUserCode(userCode) {
      return this.first((payload) => payload.userCode === userCode)
    }

    /** @param {string} id */
    async consume(id) {
      const row = rows.get(`${this.kind}:${id}`)
      if (row) row.payload.consumed = Math.floor(Date.now() / 1000)
    }

    /** @param {string} id */
    async destroy(id) {
      rows.delete(`${this.kind}:${id}`)
    }

    /** @param {string} grantId */
    async revokeByGrantId(grantId) {
      for (const [key, row] of rows) if (row.payload.grantId === grantId) rows.delete(key)
    }

    /** @param {(payload: Payload) => boolean} fits */
    first(fits) {
      for (const [key, row] of rows) if (key.startsWith(`${this.kind}:`) && fits(row.payload)) return row.payload
      return undefined
    }
  }
}
