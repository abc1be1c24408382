import { readdirSync } from "node:fs"
import { it } from "vitest"
import { createCaches } from "./caches.js"
import { resolveSettings } from "./resolve.js"
it("x", async () => {
  for (const f of readdirSync("/work/main/node_modules/@auth/core/providers").filter((f) => f.endsWith(".js"))) {
    let made: any
    try { made = (await import("/work/main/node_modules/@auth/core/providers/" + f)).default({ clientId: "a", clientSecret: "b" }) } catch (e) { console.log(f, "THROWS", String(e)); continue }
    const s = resolveSettings({ secret: "s".repeat(32), providers: [made], adapter: {} as any, experimental: {enableWebAuthn: true} }, { env: {}, caches: createCaches() })
    const p: any = s.providers.get(made?.id)
    if (s.problems.length) console.log(f, s.problems.map((p) => p.message))
    else if (p.type === "oidc" || p.type === "oauth") console.log(f, p.type, p.wellKnown ?? "-", p.authorization ?? JSON.stringify(p.authorizationParams))
  }
})
