import * as peer from "@auth/core"
import * as ours from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { it } from "vitest"
const secret = "world-secret-of-at-least-32-characters"
const norm = (v: any): any => JSON.parse(JSON.stringify(v, (k, x) => {
  if (typeof x === "function") return "[fn]"
  if (typeof x === "string" && /^[0-9a-f-]{36}$/.test(x)) return "<uuid>"
  if (typeof x === "string" && /^[0-9a-f]{64}$/.test(x)) return "<hex64>"
  if (typeof x === "string" && /^eyJ/.test(x)) return "<jwt>"
  if (k === "expires" || k === "exp" || k === "iat") return typeof x
  return x
}) ?? "null")
function make(m: any, strategy: string, adapterOn: boolean) {
  const log: string[] = []
  const rec = (n: string, ret?: any) => async (...a: any[]) => { log.push(`${n} ${a.map((x) => x instanceof Request ? `Request(${x.method} ${x.url} ct=${x.headers.get("content-type")})` : JSON.stringify(norm(x))).join(" , ")}`); return typeof ret === "function" ? ret(...a) : ret }
  const mem: any = memoryAdapter()
  const adapter: any = {}
  for (const k of ["createUser","getUser","getUserByEmail","getUserByAccount","updateUser","linkAccount","createSession","getSessionAndUser","updateSession","deleteSession","createVerificationToken","useVerificationToken"]) adapter[k] = rec(`adapter.${k}`, (...a: any[]) => mem[k](...a))
  const mails: any[] = []
  const fetcher = async (input: any, init: any) => {
    const url = String(input?.url ?? input)
    if (url.includes("/token")) return Response.json({ access_token: "at", token_type: "Bearer", expires_in: 3600, scope: "a", refresh_token: "rt", extra: "x" })
    if (url.includes("/user")) return Response.json({ id: 42, name: "Ann", email: "Ann@X.test", avatar: "http://pic/" })
    throw new Error(url)
  }
  const config: any = {
    secret, trustHost: true, basePath: "/auth", session: { strategy },
    ...(adapterOn && { adapter }),
    providers: [
      { id: "oa", name: "OA", type: "oauth", clientId: "cid", clientSecret: "cs", authorization: "https://op.test/auth?scope=x", token: "https://op.test/token", userinfo: "https://op.test/user", profile: rec("profile", (p: any) => ({ id: p.id, name: p.name, email: p.email, image: p.avatar, role: "r" })), checks: ["pkce", "state"], [m.customFetch]: fetcher },
      { id: "cred", name: "Cred", type: "credentials", credentials: { u: {} }, authorize: rec("authorize", (c: any) => c.u === "ok" ? { id: "7", name: "C", email: "c@x.test" } : null) },
      ...(adapterOn ? [{ id: "mail", name: "Mail", type: "email", maxAge: 3600, sendVerificationRequest: rec("send", (p: any) => { mails.push(p) }) }] : []),
    ],
    callbacks: { signIn: rec("cb.signIn", true), jwt: rec("cb.jwt", (p: any) => p.token), session: rec("cb.session", (p: any) => p.session), redirect: rec("cb.redirect", (p: any) => p.url) },
    events: Object.fromEntries(["signIn","signOut","createUser","updateUser","linkAccount","session"].map((n) => [n, rec(`ev.${n}`)])),
    logger: { error: (e: any) => log.push(`error ${e.name} ${e.message} ${e.cause?.err?.message ?? ""}`), warn: (c: string) => log.push(`warn ${c}`), debug() {} },
  }
  const jar = new Map<string, string>()
  async function go(method: string, path: string, body?: any, headers: any = {}) {
    const r = new Request(`http://app.test${path}`, { method, headers: { ...(jar.size && { cookie: [...jar].map(([k, v]) => `${k}=${v}`).join("; ") }), ...(body && { "content-type": "application/x-www-form-urlencoded" }), ...headers }, ...(body && { body: new URLSearchParams(body).toString() }), redirect: "manual" })
    const res: Response = await m.Auth(r, config)
    const cookies: string[] = []
    for (const c of res.headers.getSetCookie()) {
      const [nv, ...rest] = c.split("; "); const i = nv!.indexOf("="); const n = nv!.slice(0, i), v = nv!.slice(i + 1)
      if (/max-age=0/i.test(c)) jar.delete(n); else jar.set(n, v)
      cookies.push(`${n}=${v.length > 40 ? "…" : v}; ${rest.filter((x) => !/^expires/i.test(x)).join("; ")}${/expires/i.test(c) ? " +Expires" : ""}`)
    }
    const text = await res.text()
    log.push(`${method} ${path} -> ${res.status} loc=${res.headers.get("location")?.replace(/(state|code_challenge|nonce)=[^&]+/g, "$1=…")} ct=${res.headers.get("content-type")} body=${text.startsWith("<") || text.startsWith("\n<") ? "html" : JSON.stringify(norm(text ? (() => { try { return JSON.parse(text) } catch { return text } })() : ""))}`)
    for (const c of cookies) log.push(`   cookie ${c}`)
    return { res, text, loc: res.headers.get("location") }
  }
  const csrf = async () => JSON.parse((await go("GET", "/auth/csrf")).text).csrfToken
  return { log, go, csrf, mails, jar, config }
}
async function run(m: any, strategy: string, adapterOn: boolean) {
  const w = make(m, strategy, adapterOn)
  await w.go("GET", "/auth/session"); await w.go("GET", "/auth/providers")
  const t = await w.csrf()
  w.log.push("--- oauth")
  const s = await w.go("POST", "/auth/signin/oa?login_hint=z", { csrfToken: t, callbackUrl: "/after" })
  const st = new URL(s.loc!).searchParams.get("state")!
  await w.go("GET", `/auth/callback/oa?code=abc&state=${st}`)
  w.log.push("--- session"); await w.go("GET", "/auth/session")
  await w.go("POST", "/auth/session", undefined)
  { const r = await w.csrf(); await w.go("POST", "/auth/session", { csrfToken: r, data: "x" }) }
  w.log.push("--- signout"); await w.go("POST", "/auth/signout", { csrfToken: await w.csrf(), callbackUrl: "/bye" })
  w.log.push("--- again"); { const s = await w.go("POST", "/auth/signin/oa", { csrfToken: await w.csrf(), callbackUrl: "/after" }); await w.go("GET", `/auth/callback/oa?code=abc&state=${new URL(s.loc!).searchParams.get("state")}`) ; await w.go("POST", "/auth/signout", { csrfToken: await w.csrf() }) }
  if (adapterOn) {
    w.log.push("--- mail"); await w.go("POST", "/auth/signin/mail", { csrfToken: await w.csrf(), email: "Bob@X.test", callbackUrl: "/m" })
    await w.go("GET", w.mails[0]!.url.slice("http://app.test".length)); await w.go("GET", "/auth/session"); await w.go("POST", "/auth/signout", { csrfToken: await w.csrf() })
    w.log.push("--- mail again"); await w.go("POST", "/auth/signin/mail", { csrfToken: await w.csrf(), email: "Bob@X.test", callbackUrl: "/m" })
    await w.go("GET", w.mails[1]!.url.slice("http://app.test".length))
    await w.go("POST", "/auth/signout", { csrfToken: await w.csrf() })
  }
  w.log.push("--- cred"); await w.go("POST", "/auth/callback/cred", { csrfToken: await w.csrf(), u: "ok", callbackUrl: "/c" }); await w.go("GET", "/auth/session")
  await w.go("POST", "/auth/callback/cred", { csrfToken: await w.csrf(), u: "no" }); await w.go("POST", "/auth/callback/cred", { csrfToken: await w.csrf(), u: "no" }, { "x-auth-return-redirect": "1" })
  await w.go("POST", "/auth/signin/cred", { csrfToken: await w.csrf(), callbackUrl: "/c" }); await w.go("POST", "/auth/signin", { csrfToken: await w.csrf() })
  for (const p of ["/auth/error?error=AccessDenied", "/auth/verify-request?provider=mail&type=email", "/auth/signin", "/auth/signout", "/auth/nope", "/auth/signin/nope"]) await w.go("GET", p)
  return w.log
}
it("diff", async () => {
  const fs = await import("node:fs")
  for (const [st, ad] of [["jwt", false], ["jwt", true], ["database", true]] as const)
    for (const [n, m] of [["peer", peer], ["ours", ours]] as const) {
      const log = await run(m, st, ad)
      fs.writeFileSync(`/tmp/probe/${st}-${ad}-${n}.txt`, log.join("\n"))
    }
})
