import { describe, expect, it } from "vitest"
import { sqlite } from "./dialects/sqlite.js"
import { createSupplier, demandsOf } from "./supplies.js"

const demanded = (name: string) => ({ name, kind: "other", declared: "text", required: true }) as const

describe("times that a row must be given", () => {
  const { supplies } = demandsOf([demanded("created_at"), demanded("updatedAt")])
  // Each look at this clock is a second after the one before.
  let seconds = 0
  const supplier = createSupplier(supplies, sqlite, () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)))

  it("are one and the same for a new row", () => {
    const row = supplier.forNew({ name: "Ada" })
    expect(row).toMatchObject({ name: "Ada", created_at: expect.stringContaining("2026-01-01") })
    expect(row.updatedAt).toBe(row.created_at)
  })

  it("change with the row, but for that of its beginning", () => {
    expect(supplier.forNew({}).updatedAt).not.toBe(supplier.forChanged({}).updatedAt)
    expect(supplier.forChanged({})).not.toHaveProperty("created_at")
  })
})
