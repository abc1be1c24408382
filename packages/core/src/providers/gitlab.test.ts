import { describe, expect, it } from "vitest"
import { GitLab, type GitLabProfile } from "./gitlab.js"

describe("GitLab", () => {
  it.each(["https://git.corp.test", "https://git.corp.test/", new URL("https://git.corp.test/")])(
    "self-managed at %s",
    (baseUrl) => {
      expect(GitLab({ baseUrl })).toMatchObject({
        authorization: { url: "https://git.corp.test/oauth/authorize", params: { scope: "read_user" } },
        token: "https://git.corp.test/oauth/token",
        userinfo: "https://git.corp.test/api/v4/user",
      })
    },
  )

  it.each([
    ["2020-05-23T09:05:22.000Z", true],
    [null, false],
    [undefined, undefined],
  ])("confirmed at %j means proven: %j", (confirmed_at, proven) => {
    expect(GitLab().emailVerified?.({ confirmed_at } as GitLabProfile)).toBe(proven)
  })

  it.each([
    ["a self-managed one", { baseUrl: "https://git.corp.test" }],
    ["a foreign one", { baseUrl: "https://gitlab.com.evil.test" }],
    ["endpoints of another", { userinfo: "https://git.corp.test/api/v4/user" }],
    ["tokens of another", { token: "https://git.corp.test/oauth/token" }],
  ])("at %s the date proves nothing, and its absence denies", (_, options) => {
    const { emailVerified } = GitLab(options)
    const said = ["2020-05-23T09:05:22.000Z", undefined, null].map((confirmed_at) =>
      emailVerified?.({ confirmed_at } as GitLabProfile),
    )
    expect(said).toEqual(["unstated", "unstated", false])
  })
})
