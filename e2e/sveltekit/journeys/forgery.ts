/** Requests that other sites make a browser send. */
import { describe, expect, it } from "vitest"
import type { World } from "./world.js"

const json = { "content-type": "application/json" }
const form = { "content-type": "application/x-www-form-urlencoded" }

export function forgery(world: () => World): void {
  const post = (path: string, headers: Record<string, string>, fields: Record<string, string>): Promise<Response> =>
    fetch(`${world().running.home}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { ...headers, "x-auth-return-redirect": "1" },
      body: headers["content-type"] === json["content-type"] ? JSON.stringify(fields) : new URLSearchParams(fields),
    })
  const fields = { email: "forged@mail.test", password: "right" }
  const own = (): Record<string, string> => ({ origin: world().running.origin })

  describe("requests of other sites", () => {
    it.each([
      ["another site", { origin: "https://evil.test" }],
      ["an opaque origin", { origin: "null" }],
      ["another site of the same host", { "sec-fetch-site": "same-site" }],
      ["nobody known", {}],
    ])("are refused as JSON, which the framework lets through: %s", async (_, headers) => {
      const response = await post("/auth/callback/credentials", { ...json, ...headers }, fields)
      expect(response.status).toBe(403)
      expect(response.headers.getSetCookie().filter((line) => line.includes("session-token="))).toEqual([])
    })

    it.each([
      ["JSON", json],
      ["a form", form],
    ])("are distinguished from our own: %s", async (_, headers) => {
      const response = await post("/auth/callback/credentials", { ...headers, ...own() }, fields)
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie().filter((line) => line.includes("session-token="))).toHaveLength(1)
    })

    it.each(["/signin", "/auth/signout"])("are refused as forms: %s", async (path) => {
      const response = await post(
        path,
        { ...form, origin: "https://evil.test" },
        { providerId: "credentials", ...fields },
      )
      expect(response.status).toBe(403)
      expect(response.headers.getSetCookie()).toEqual([])
    })
  })
}
