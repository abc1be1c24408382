import * as peer from "@auth/core"
import * as ours from "../../src/index.js"
import PeerGitHub from "@auth/core/providers/github"
import PeerAuth0 from "@auth/core/providers/auth0"
import GitHub from "../../src/providers/github.js"
import Auth0 from "../../src/providers/auth0.js"
import { it } from "vitest"
const env = { AUTH_AUTH0_ID: "asdf", AUTH_AUTH0_SECRET: "s", AUTH_AUTH0_ISSUER: "https://x.auth0.com", AUTH_GITHUB_ID: "gid", AUTH_SECRET: "s".repeat(33), AUTH_URL: "http://n/api/auth" }
const show = (c: any) => JSON.stringify({ ...c, providers: c.providers.map((p: any) => ({ id: p.id, clientId: p.clientId, clientSecret: p.clientSecret, issuer: p.issuer, options: p.options })) })
it("setEnvDefaults", () => {
  for (const [name, m, A, G] of [["peer", peer, PeerAuth0, PeerGitHub], ["ours", ours, Auth0, GitHub], ["ours/peer", ours, PeerAuth0, PeerGitHub]] as any[]) {
    const c: any = { providers: [A, G({}), G] }
    m.setEnvDefaults(env, c, true)
    console.log(name, show(c))
    const d: any = { providers: [G({ clientId: "own" })], basePath: "/basepath", trustHost: false, secret: ["x"] }
    m.setEnvDefaults(env, d, true)
    console.log(name, show(d))
    for (const e of [{}, { AUTH_TRUST_HOST: "" }, { AUTH_TRUST_HOST: "1" }, { VERCEL: "1" }, { CF_PAGES: "1" }, { NODE_ENV: "development" }, { NODE_ENV: "production" }, { AUTH_URL: "http://a" }, { AUTH_URL: "secret" }, { AUTH_URL: "http://a/b/" }, { AUTH_SECRET: "a", AUTH_SECRET_1: "b" , AUTH_SECRET_3: "d" }, { AUTH_REDIRECT_PROXY_URL: "http://p/a" }]) {
      const c: any = { providers: [] }
      m.setEnvDefaults(e, c, true)
      console.log(name, JSON.stringify(e), show(c))
    }
  }
  const cases: any[] = [
    ["signout", undefined, { host: "example.com" }, {}, "/api/auth"],
    ["signin", "http:", { host: "example.com" }, {}, "/api/auth"],
    ["signin", "https", { host: "example.com", "x-forwarded-host": "b.com", "x-forwarded-proto": "http" }, {}, "/"],
    ["signin", "https", { host: "example.com" }, {}, undefined],
    ["signin", "https", { host: "example.com" }, { AUTH_URL: "https://e.com" }, "/auth"],
    ["signin", "https", { host: "example.com" }, { AUTH_URL: "https://e.com/" }, "/auth/"],
    ["signin", "https", { host: "example.com" }, { AUTH_URL: "https://e.com/my" }, "/auth"],
    ["signin", "https", { host: "example.com" }, { AUTH_URL: "https://e.com/my" }, undefined],
    ["signin", "https", { host: "example.com" }, { AUTH_URL: "https://e.com/my" }, "/"],
    ["signin", "https", { host: "example.com" }, { NEXTAUTH_URL: "https://e.com/my" }, "/my"],
    ["signin", "https", {}, {}, "/my"],
  ]
  for (const [a, p, h, e, b] of cases) {
    const run = (m: any) => { try { return String(m.createActionURL(a, p, new Headers(h), e, { basePath: b, logger: { warn: (c: string) => console.log("warn", c) } })) } catch (x: any) { return `throws ${x.message}` } }
    console.log(JSON.stringify([p, h, e, b]), run(peer), run(ours))
  }
})
