import { describe, expect, it } from "vitest"
import { session } from "./mysql-session.js"

const whole = { sent: "utf8mb4", kept: "utf8mb4", answered: "utf8mb4", given: "\\" }

describe("a session of MySQL", { tags: ["threat:A-183"] }, () => {
  it("is asked for a value that was sent to it", () => {
    expect(session.query.parameters).toEqual(["\\"])
    expect(session.misfit(whole)).toBeUndefined()
    expect(session.misfit({ ...whole, given: Buffer.from("\\") })).toBeUndefined()
  })

  it.each(["\\\\", undefined])("is refused where %j comes back", (given) => {
    expect(session.misfit({ ...whole, given })).toContain("NO_BACKSLASH_ESCAPES")
  })
})
