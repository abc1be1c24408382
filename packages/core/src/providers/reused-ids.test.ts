/** Options by which ids of accounts are no names that somebody else can have later, and nobody comes by another door. */
import { describe, expect, it, vi } from "vitest"
import { AccessDenied } from "../errors.js"
import { Bitbucket } from "./bitbucket.js"
import { EVEOnline } from "./eveonline.js"
import { PinterestProvider } from "./pinterest.js"
import { Slack } from "./slack.js"
import { Trakt } from "./trakt.js"
import { WorkOS } from "./workos.js"

type Made = { readonly profile?: ((profile: never, tokens: never) => unknown) | undefined }
const idBy = async ({ profile }: Made, said: object): Promise<unknown> =>
  ((await profile?.(said as never, {} as never)) as { id: unknown } | undefined)?.id

describe("a name that somebody else has now", () => {
  it("is the id at Pinterest unless the ids are to be stable", async () => {
    const [before, after] = [
      { id: "111", username: "ada" },
      { id: "222", username: "ada" },
    ]
    expect([await idBy(PinterestProvider(), before), await idBy(PinterestProvider(), after)]).toEqual(["ada", "ada"])
    const stable = PinterestProvider({ stableIds: true })
    expect([await idBy(stable, before), await idBy(stable, after)]).toEqual(["111", "222"])
    expect(await idBy(stable, { username: "ada" })).toBe("")
  })

  it("is the id at Trakt unless the ids are to be stable", async () => {
    const said = { username: "ada", ids: { slug: "ada", uuid: "b658" } }
    expect(await idBy(Trakt(), said)).toBe("ada")
    expect(await idBy(Trakt({ stableIds: true }), said)).toBe("b658")
    expect(await idBy(Trakt({ stableIds: true }), { ...said, ids: { slug: "ada" } })).toBe("")
  })

  it("is asked at Trakt where the answer has the id", async () => {
    const user = { username: "ada", ids: { slug: "ada", uuid: "b658" } }
    const fetch = vi.fn(async (_url: unknown, _init?: RequestInit) => Response.json({ user, account: {} }))
    const request = Trakt({ stableIds: true }).userinfo as { request: (given: object) => Promise<unknown> }
    expect(await request.request({ provider: { clientId: "c1" }, tokens: { access_token: "t1" }, fetch })).toEqual(user)
    expect(fetch.mock.calls[0]?.[0]).toBe("https://api.trakt.tv/users/settings?extended=full")
  })
})

describe("a character of EVE Online that was sold", () => {
  const sub = "CHARACTER:EVE:95465499"
  it.each([
    [
      { sub, owner: "one=" },
      { sub, owner: "two=" },
    ],
    [
      { CharacterID: 95465499, CharacterOwnerHash: "one=" },
      { CharacterID: 95465499, CharacterOwnerHash: "two=" },
    ],
  ])("is another account where owners are separated: %j", async (before, after) => {
    expect([await idBy(EVEOnline(), before), await idBy(EVEOnline(), after)]).toEqual(["95465499", "95465499"])
    const separate = EVEOnline({ separateOwners: true })
    expect([await idBy(separate, before), await idBy(separate, after)]).toEqual(["95465499:one=", "95465499:two="])
  })

  it("is no account without its owner", async () => {
    expect(await idBy(EVEOnline({ separateOwners: true }), { sub })).toBe("")
    expect(await idBy(EVEOnline({ separateOwners: true }), { owner: "one=" })).toBe("")
  })
})

describe("a connection of WorkOS", () => {
  const profile = { id: "prof_1", connection_id: "conn_1", organization_id: "org_1" }
  const read = (onlyFrom: readonly string[] | undefined, said: object, atOnce = true): Promise<unknown> => {
    const { request } = WorkOS({ ...(onlyFrom && { onlyFrom }) }).userinfo as {
      request: (given: object) => Promise<unknown>
    }
    return request({ tokens: atOnce ? { profile: said } : {}, fetch: async () => Response.json(said) })
  }

  it.each([
    ["the connection", ["conn_2", "conn_1"]],
    ["its organization", ["org_1"]],
    ["no list", undefined],
  ])("lets people in by %s", async (_, onlyFrom) => {
    for (const atOnce of [true, false]) expect(await read(onlyFrom, profile, atOnce)).toEqual(profile)
  })

  it.each([
    [["conn_2", "org_2"], profile],
    [[], profile],
    [["prof_1"], profile],
    [["undefined", "null"], { id: "prof_1", organization_id: null }],
  ])("refuses everybody else: %j", async (onlyFrom, said) => {
    for (const atOnce of [true, false]) await expect(read(onlyFrom, said, atOnce)).rejects.toThrow(AccessDenied)
  })
})

describe("the id of a person at Slack", () => {
  const said = (team?: string): object => ({ sub: "U1", ...(team && { "https://slack.com/team_id": team }) })

  it("is their own unless teams are separated", async () => {
    expect([await idBy(Slack(), said("T1")), await idBy(Slack(), said())]).toEqual(["U1", "U1"])
    const separate = Slack({ separateTeams: true })
    expect([await idBy(separate, said("T1")), await idBy(separate, said("T2"))]).toEqual(["T1:U1", "T2:U1"])
    expect(await idBy(separate, said())).toBe("")
  })
})

it("an address of Bitbucket is as proven as its list says", () => {
  const said = [true, false, undefined].map((email_verified) =>
    Bitbucket().emailVerified?.({ email_verified } as never),
  )
  expect(said).toEqual([true, false, undefined])
})
