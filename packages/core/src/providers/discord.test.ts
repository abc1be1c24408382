import { describe, expect, it } from "vitest"
import { Discord, type DiscordProfile } from "./discord.js"

describe("Discord", () => {
  it("keeps ids of more than 53 bits as they are", async () => {
    const profile = { id: "1234567890123456789", username: "n", discriminator: "0", avatar: "h" } as DiscordProfile
    expect((await Discord().profile?.(profile, {}))?.id).toBe("1234567890123456789")
  })

  it.each([true, false, undefined])("verified: %j is what is said of the address", (verified) => {
    expect(Discord().emailVerified?.({ verified } as DiscordProfile)).toBe(verified)
  })
})
