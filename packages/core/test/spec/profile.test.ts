/** What a provider says of a person reaches the application whole: known claims, unknown ones, and those that are null. */
import { describe, expect, it } from "vitest"
import { makeWorld } from "../support/world.js"

const whole = {
  sub: "person-1",
  id: "legacy-1",
  name: "Ada King",
  given_name: "Ada",
  family_name: "King",
  middle_name: "Augusta",
  nickname: "ada",
  preferred_username: "countess",
  profile: "https://op.test/ada",
  picture: { url: "https://op.test/ada.png" },
  website: "https://ada.test",
  email: "ada@op.test",
  email_verified: true,
  gender: "female",
  birthdate: "1815-12-10",
  zoneinfo: "Europe/London",
  locale: "en-GB",
  phone_number: "+44 1",
  updated_at: 1_700_000_000,
  address: {
    formatted: "12 St James",
    street_address: null,
    locality: "London",
    region: "",
    postal_code: "SW1",
    country: "GB",
  },
  "https://op.test/role": ["admin"],
}
const empty = Object.fromEntries(Object.keys(whole).map((claim) => [claim, claim === "sub" ? "person-1" : null]))
const map = (): object => ({ id: "person-1" })

describe("a profile", () => {
  it.each([
    ["whole", whole],
    ["null in every claim but its subject", empty],
    ["almost empty", { sub: "person-1" }],
  ])(
    "that is %s reaches callbacks and events as it was sent [spec profile claims] [spec profile sub] [spec profile id] [spec profile name] [spec profile given_name] [spec profile family_name] [spec profile middle_name] [spec profile nickname] [spec profile preferred_username] [spec profile profile] [spec profile picture] [spec profile website] [spec profile email] [spec profile gender] [spec profile birthdate] [spec profile zoneinfo] [spec profile locale] [spec profile phone_number] [spec profile email_verified] [spec profile updated_at] [spec profile address]",
    async (_, person) => {
      const seen: unknown[] = []
      const world = await makeWorld({
        op: { person },
        provider: { profile: map },
        config: { callbacks: { signIn: ({ profile }) => seen.push(profile) > 0 } },
      })
      await world.signInAtOp(world.browser())
      expect(world.errors).toEqual([])
      const reported = world.events.find(([name]) => name === "signIn")?.[1].profile
      for (const profile of [seen[0], reported]) expect(profile).toMatchObject(person)
    },
  )
})
