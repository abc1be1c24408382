/** A provider behind a certificate that nobody vouches for: the sign-in fails, and nothing is sent there. */
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { makeCertificate } from "../../../express/test/support/certificate.js"
import { makeWorld } from "../support/world.js"

const servers: { close(): unknown; closeAllConnections(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** Notes what it is asked. */
async function openImpostor(): Promise<{ issuer: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(makeCertificate("localhost"), (request, response) => {
    asked.push(request.url ?? "")
    response.end("{}")
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { issuer: `https://localhost:${(server.address() as AddressInfo).port}`, asked }
}

describe.each(["oidc", "oauth"] as const)("a provider of type %s", (type) => {
  it("is not spoken to", { tags: ["threat:B9-16", "threat:A-177"] }, async () => {
    const { issuer, asked } = await openImpostor()
    const endpoints = { authorization: `${issuer}/authorize`, token: `${issuer}/token`, userinfo: `${issuer}/me` }
    const provider = { id: "op", name: "OP", type, clientId: "client", clientSecret: "secret" }
    const world = await makeWorld({
      config: { providers: [{ ...provider, ...(type === "oidc" ? { issuer } : { ...endpoints, checks: ["state"] }) }] },
    })
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/op")
    const state = new URL(begun.location ?? "").searchParams.get("state") ?? ""
    const ended =
      type === "oidc" ? begun : await browser.get(`/auth/callback/op?${new URLSearchParams({ code: "c", state })}`)
    expect(ended.location).toContain(type === "oidc" ? "error=OAuthSignin" : "error=Callback")
    expect([asked, await browser.session()]).toEqual([[], null])
  })
})
