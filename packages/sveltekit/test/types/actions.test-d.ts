/** What this package gives fits where SvelteKit expects it. */
import type { SessionEntry } from "@latchkey/core/sessions"
import type { Session, User } from "@latchkey/core/types"
import { formAction, requireSession, SvelteKitAuth, type SvelteKitAuthConfig } from "@latchkey/sveltekit"
import type { Action, Actions, Handle, RequestEvent, ServerLoad } from "@sveltejs/kit"
import { expectTypeOf, it } from "vitest"

declare const event: RequestEvent<{ id: string }, "/things/[id]">

it("hook, actions and guard have the types of their places", () => {
  const auth = SvelteKitAuth({ providers: [] })
  expectTypeOf(auth.handle).toExtend<Handle>()
  expectTypeOf(auth.signIn).toExtend<Action>()
  expectTypeOf({ default: formAction(auth.signIn) }).toExtend<Actions>()
  expectTypeOf({ out: auth.signOut }).toExtend<Actions>()
  expectTypeOf(auth.signIn(event, { redirect: false })).resolves.toEqualTypeOf<{ readonly redirect: string }>()
  expectTypeOf(auth.sessions.list(event)).resolves.toEqualTypeOf<readonly SessionEntry[]>()
  expectTypeOf(auth.sessions.actAs(event, "user")).resolves.toBeBoolean()
  // @ts-expect-error it has to be said which one
  auth.sessions.end(event)
  const load: ServerLoad = async (given) => ({ session: await requireSession(given) })
  expectTypeOf(load).toBeFunction()
})

it("what a configuration says of the session and of ids is inferred", () => {
  const auth = SvelteKitAuth({
    providers: [{ id: "intranet", name: "Intranet", type: "oidc", issuer: "https://op.test" }],
    session: { strategy: "jwt", expose: ["id"] },
  })
  type Mine = Session & { user: User & { id: string } }
  expectTypeOf(auth.session(event)).resolves.toEqualTypeOf<Mine | null>()
  expectTypeOf(auth.auth(event)).resolves.toEqualTypeOf<Mine | null>()
  expectTypeOf<Awaited<ReturnType<typeof auth.require>>["user"]["id"]>().toEqualTypeOf<string>()
  auth.signIn(event, { provider: "intranet" })
  const byRequest = SvelteKitAuth(() => ({
    session: { strategy: "jwt" as const },
    callbacks: { session: ({ session }) => ({ expires: session.expires, plan: "free" }) },
  }))
  expectTypeOf(byRequest.session(event)).resolves.toEqualTypeOf<{ expires: string; plan: string } | null>()
  const exposing = SvelteKitAuth(() => ({ session: { expose: ["id"] } }))
  expectTypeOf(exposing.session(event)).resolves.toEqualTypeOf<Mine | null>()
  // @ts-expect-error a slip of the pen
  SvelteKitAuth({ sesion: { strategy: "jwt" } })
})

it("a configuration may be made for each request [spec sveltekit factory]", () => {
  SvelteKitAuth((given) => ({ providers: [], basePath: `/${given.url.hostname}` }))
  SvelteKitAuth(async () => ({ providers: [] }))
  // @ts-expect-error it answers with a response, never with plain data
  SvelteKitAuth({ providers: [], raw: Symbol("return-type-raw") })
})

it("locals and page data are typed", () => {
  expectTypeOf<App.Locals["auth"]>().toEqualTypeOf<() => Promise<Session | null>>()
  expectTypeOf<App.PageData["session"]>().toEqualTypeOf<Session | null | undefined>()
})

it("a configuration that `satisfies SvelteKitAuthConfig` is taken, and made by a function", () => {
  const config = {
    providers: [],
    session: { strategy: "jwt" },
    callbacks: { session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } }) },
  } satisfies SvelteKitAuthConfig
  expectTypeOf(SvelteKitAuth(config).handle).toExtend<Handle>()
  expectTypeOf(SvelteKitAuth(async () => config).handle).toExtend<Handle>()
})
