// @vitest-environment happy-dom
/** The hook and its provider, rendered by React: requests, other tabs, services that fail. */
import type { Session } from "@latchkey/core/types"
import { act, createElement, type ReactNode, StrictMode } from "react"
import { createRoot, hydrateRoot, type Root } from "react-dom/client"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  SessionProvider,
  type SessionProviderProps,
  type UseSession,
  type UseSessionOptions,
  useSession,
} from "./session.js"
import { createSessionClient } from "./sign.js"

const ada: Session = { user: { name: "Ada" }, expires: "2100-01-01T00:00:00.000Z" }
const bob: Session = { user: { name: "Bob" }, expires: "2100-01-01T00:00:00.000Z" }

/** What the service answers, and what it was asked. */
const service = { session: ada as Session | null, isDown: false, asked: [] as string[] }
const mounted: Root[] = []

async function answer(input: string, init?: RequestInit): Promise<Response> {
  service.asked.push(`${init?.method ?? "GET"} ${input}`)
  if (service.isDown) return Response.json({ error: "Configuration" }, { status: 503 })
  if (input.endsWith("/csrf")) return Response.json({ csrfToken: "t" })
  if (input.endsWith("/signout")) {
    service.session = null
    return Response.json({ url: "http://localhost:3000/" })
  }
  if (init?.method === "POST") service.session = { ...ada, user: { name: JSON.parse(String(init.body)).data } }
  return Response.json(service.session)
}

beforeEach(() => {
  Object.assign(service, { session: ada, isDown: false, asked: [] })
  vi.stubGlobal("fetch", answer)
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)
})
afterEach(async () => {
  await act(async () => {
    for (const root of mounted.splice(0)) root.unmount()
  })
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  history.replaceState(undefined, "", "/")
})

/** One tab: a page with the provider and two components that show the session. */
async function openTab(props: Omit<SessionProviderProps, "children"> = {}, options?: UseSessionOptions) {
  const seen: UseSession[] = []
  const Part = (): ReactNode => {
    const session = useSession(options)
    seen.push(session)
    return `${session.status} ${session.data?.user?.name ?? ""}|`
  }
  const page = createElement(SessionProvider, props, createElement(Part), createElement(Part))
  const place = document.createElement("div")
  const root = createRoot(place)
  mounted.push(root)
  await act(async () => root.render(createElement(StrictMode, undefined, page)))
  return { seen, text: () => place.textContent, last: () => seen.at(-1) as UseSession }
}

/** Shows this address in the browser, and keeps where it is sent from there. */
function arriveAt(address: string) {
  history.replaceState(undefined, "", address)
  return vi.spyOn(location, "assign").mockImplementation(() => undefined)
}

/** Lets messages between tabs arrive. */
const settle = (): Promise<void> =>
  act(async () => {
    await new Promise((resolve) => setTimeout(resolve, 60))
  })

describe("useSession", () => {
  it("asks the service once for all components of a page", async () => {
    const tab = await openTab()
    expect(tab.seen[0]).toMatchObject({ status: "loading", data: undefined })
    expect(tab.text()).toBe("authenticated Ada|authenticated Ada|")
    expect(service.asked).toEqual(["GET /auth/session"])
  })

  it("asks nothing when the server rendered the session, and hydrates what the server wrote", async () => {
    const Part = (): ReactNode => useSession().data?.user?.name ?? "nobody"
    const page = createElement(SessionProvider, { session: ada }, createElement(Part))
    const place = document.createElement("div")
    place.innerHTML = renderToString(page)
    expect(place.textContent).toBe("Ada")
    const errors: unknown[] = []
    await act(async () => {
      mounted.push(hydrateRoot(place, page, { onRecoverableError: (error) => errors.push(error) }))
    })
    expect([place.textContent, errors, service.asked]).toEqual(["Ada", [], []])
  })

  it("takes over what the server renders later", async () => {
    const Part = (): ReactNode => useSession().data?.user?.name ?? "nobody"
    const pageWith = (session: Session | null) => createElement(SessionProvider, { session }, createElement(Part))
    const place = document.createElement("div")
    const root = createRoot(place)
    mounted.push(root)
    await act(async () => root.render(pageWith(null)))
    await act(async () => root.render(pageWith(bob)))
    expect(place.textContent).toBe("Bob")
  })

  it("says that nobody is signed in, and is another thing than a service that fails", async () => {
    service.session = null
    expect((await openTab()).text()).toBe("unauthenticated |unauthenticated |")
    service.isDown = true
    const failing = await openTab({ basePath: "/other" })
    expect(failing.last()).toMatchObject({ status: "error", data: undefined, error: { status: 503 } })
  })

  it("keeps a session while the service is down, with the error beside it", async () => {
    const tab = await openTab()
    service.isDown = true
    await act(async () => void (await tab.last().refresh()))
    expect(tab.last()).toMatchObject({ status: "authenticated", data: ada, error: { status: 503 } })
    service.isDown = false
    await act(async () => void (await tab.last().refresh()))
    expect(tab.last()).toMatchObject({ status: "authenticated", error: undefined })
  })

  it("renders nothing again for an equal session", async () => {
    const tab = await openTab({ session: ada })
    const rendered = tab.seen.length
    await act(async () => void (await tab.last().refresh()))
    expect(service.asked).toHaveLength(1)
    expect(tab.seen).toHaveLength(rendered)
  })

  it("passes data to the application, and shows what comes back", async () => {
    const tab = await openTab()
    await act(async () => void (await tab.last().update("Grace")))
    expect(tab.text()).toBe("authenticated Grace|authenticated Grace|")
    expect(service.asked.slice(1)).toEqual(["GET /auth/csrf", "POST /auth/session"])
  })

  it("shows what came of an update, also when a later question was answered before it", async () => {
    const tab = await openTab()
    let answerUpdate = (): void => undefined
    vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
      if (init?.method !== "POST") return answer(input, init)
      const response = await answer(input, init)
      await new Promise<void>((resolve) => {
        answerUpdate = resolve
      })
      return response
    })
    const updating = tab.last().update("Grace")
    await settle()
    const updated = service.session
    service.session = ada
    await act(async () => void (await tab.last().refresh()))
    service.session = updated
    await act(async () => {
      answerUpdate()
      await updating
    })
    expect(tab.text()).toBe("authenticated Grace|authenticated Grace|")
  })

  it("turns away who is not signed in, and nobody before that is known", async () => {
    service.session = null
    const onUnauthenticated = vi.fn()
    service.isDown = true
    const tab = await openTab({}, { required: true, onUnauthenticated })
    expect(onUnauthenticated).not.toHaveBeenCalled()
    service.isDown = false
    await act(async () => void (await tab.last().refresh()))
    expect(onUnauthenticated).toHaveBeenCalled()
  })

  it.each([
    ["the built-in page", "/auth", "/auth/signin"],
    ["the built-in page with a slash at the end, and a query", "/auth/", "/auth/signin/?callbackUrl=%2Fclosed#form"],
    ["a page of the application's own", "/auth", "/login?callbackUrl=%2Fclosed&error=SessionRequired"],
  ])("stays on the sign-in page instead of reloading it without end: %s", async (_, basePath, address) => {
    service.session = null
    const assign = arriveAt(address)
    const tab = await openTab({ basePath }, { required: true })
    expect(tab.last().status).toBe("unauthenticated")
    expect(assign).not.toHaveBeenCalled()
  })

  it.each(["/closed", "/closed?callbackUrl=%2Fauth%2Fsignin", "/auth/signin/other", "/shop/auth/signin"])(
    "leaves any other page for the sign-in page, and says where to return to: %s",
    async (address) => {
      service.session = null
      const assign = arriveAt(address)
      await openTab({}, { required: true })
      const to = new URL(String(assign.mock.calls[0]?.[0]), location.href)
      expect([to.pathname, to.searchParams.get("error")]).toEqual(["/auth/signin", "SessionRequired"])
      expect(to.searchParams.get("callbackUrl")).toBe(location.href)
    },
  )

  it("says what is missing outside of the provider", () => {
    const Part = (): ReactNode => String(useSession().status)
    expect(() => renderToString(createElement(Part))).toThrow("<SessionProvider>")
  })
})

/** Says something to all tabs. */
async function post(message: unknown): Promise<void> {
  const channel = new BroadcastChannel("latchkey:/auth")
  channel.postMessage(message)
  await settle()
  channel.close()
}

describe("tabs", () => {
  it("learn from one answer: only one of them asks", async () => {
    const [one, other] = [await openTab({ session: null }), await openTab({ session: null })]
    await settle()
    service.session = bob
    await act(async () => void (await one.last().refresh()))
    await settle()
    expect(other.text()).toBe("authenticated Bob|authenticated Bob|")
    expect(service.asked).toEqual(["GET /auth/session"])
  })

  it("are all signed out by one", async () => {
    const tab = await openTab()
    await act(async () => {
      await createSessionClient().signOut({ redirect: false })
    })
    await settle()
    expect(tab.text()).toBe("unauthenticated |unauthenticated |")
  })

  it("out of sight wait for the news of others", async () => {
    const tab = await openTab()
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden")
    await act(async () => {
      await createSessionClient().signOut({ redirect: false })
    })
    await settle()
    expect(service.asked.filter((asked) => asked === "GET /auth/session")).toHaveLength(1)
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible")
    document.dispatchEvent(new Event("visibilitychange"))
    await settle()
    expect(tab.text()).toBe("unauthenticated |unauthenticated |")
  })

  it("do not believe what is no session, nor what is older than what they know", async () => {
    const tab = await openTab()
    const channel = new BroadcastChannel("latchkey:/auth")
    for (const message of [undefined, "gone", { session: "x", asked: Date.now() }, { session: null, asked: 1 }])
      channel.postMessage(message)
    await settle()
    channel.close()
    expect(tab.text()).toBe("authenticated Ada|authenticated Ada|")
  })

  it("go on asking after a message from the future, or a clock that was set back", async () => {
    const tab = await openTab()
    await post({ session: bob, asked: Date.now() + 1e9 })
    expect(tab.text()).toBe("authenticated Bob|authenticated Bob|")
    service.session = null
    await act(async () => void (await tab.last().refresh()))
    expect(tab.text()).toBe("unauthenticated |unauthenticated |")
  })

  it("show nobody again who has signed out, when a page arrives that was rendered before", async () => {
    const one = await openTab()
    service.session = null
    await act(async () => void (await one.last().refresh()))
    const late = await openTab({ session: ada })
    await settle()
    expect([one.text(), late.text()]).toEqual(Array(2).fill("unauthenticated |unauthenticated |"))
    expect(service.asked).toHaveLength(3)
  })

  it("learn from a page that was rendered after a sign-in, with one question for all of them", async () => {
    const tabs = [await openTab({ session: null }), await openTab({ session: null }), await openTab({ session: null })]
    service.session = bob
    tabs.push(await openTab({ session: bob }))
    await settle()
    expect(tabs.map((tab) => tab.text())).toEqual(Array(4).fill("authenticated Bob|authenticated Bob|"))
    expect(service.asked).toEqual(["GET /auth/session"])
  })

  it("of another base path are another application", async () => {
    const tab = await openTab({ basePath: "/other" })
    await act(async () => {
      await createSessionClient().signOut({ redirect: false })
    })
    await settle()
    expect(tab.text()).toBe("authenticated Ada|authenticated Ada|")
  })
})
