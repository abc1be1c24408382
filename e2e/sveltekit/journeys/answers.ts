/** Which cookies answers set that the application makes itself. */
import { describe, expect, it } from "vitest"
import type { World } from "./world.js"

export function answers(world: () => World): void {
  const ask = (path: string, { cookie, ...init }: RequestInit & { readonly cookie?: string } = {}): Promise<Response> =>
    fetch(`${world().running.home}${path}`, {
      redirect: "manual",
      headers: { origin: world().running.origin, ...(cookie && { cookie }) },
      ...init,
    })

  const sessionsIn = (response: Response): readonly string[] =>
    response.headers.getSetCookie().filter((line) => line.includes("session-token="))

  /** The session cookie of somebody new. */
  async function signedIn(): Promise<string> {
    const body = new URLSearchParams({ email: world().freshAddress(), password: "right" })
    const [line = ""] = sessionsIn(await ask("/auth/callback/credentials", { method: "POST", body }))
    expect(line).toMatch(/session-token=[^;]/)
    return line.split(";")[0] ?? ""
  }

  describe("an answer of the application's own", () => {
    it("carries nobody else's session, though one Response is returned to all", async () => {
      const [one, other] = [await signedIn(), await signedIn()]
      const set: unknown[] = []
      for (const cookie of ["", one, "", other, "", one])
        set.push(sessionsIn(await ask("/ping", { cookie })).map((line) => line.split("=")[0]))
      const [name] = one.split("=")
      expect(set).toEqual([[], [name], [], [name], [], [name]])
      expect(await (await ask("/auth/session", { cookie: other })).json()).not.toBeNull()
    })

    it("ends the session where a hook signs out, and each cookie is set once", async () => {
      const cookie = await signedIn()
      const response = await ask("/leave", { method: "POST", cookie })
      expect([response.status, await response.text()]).toEqual([200, "bye"])
      expect(response.headers.get("cache-control")).toBe("private, no-store")
      const lines = sessionsIn(response)
      expect(lines.map((line) => line.split(";")[0])).toEqual([`${cookie.split("=")[0]}=`])
      expect(lines[0]).toMatch(/; Max-Age=0; Path=\/; .*HttpOnly; SameSite=Lax$/)
      // A token stands for itself; a row is gone.
      if (world().strategy === "database") expect(await (await ask("/auth/session", { cookie })).json()).toBeNull()
    })
  })
}
