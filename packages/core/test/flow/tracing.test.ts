/** The tracing channel of actions: what it says, what it does not say, and the subscriber of the guide. */
import { tracingChannel } from "node:diagnostics_channel"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { metrics, SpanStatusCode, trace } from "@opentelemetry/api"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { afterEach, describe, expect, it } from "vitest"
import type { ActionTrace } from "../../src/index.js"
import { rightCredentials } from "../support/credentials.js"
import { makeWorld, worldSecret } from "../support/world.js"

const channel = tracingChannel<unknown, object>("latchkey.action")
const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

/** Everything that is published from now on, as it was at the time. */
function listen(): (readonly [string, ActionTrace])[] {
  const heard: (readonly [string, ActionTrace])[] = []
  const note = (event: string) => (message: object) => void heard.push([event, structuredClone(message) as ActionTrace])
  const events = ["start", "end", "asyncStart", "asyncEnd", "error"] as const
  const subscriber = Object.fromEntries(events.map((event) => [event, note(event)])) as Record<
    (typeof events)[number],
    (message: object) => void
  >
  channel.subscribe(subscriber)
  undo.push(() => void channel.unsubscribe(subscriber))
  return heard
}

describe("the tracing channel", () => {
  it("names the action of a request and its outcome", async () => {
    const { auth } = await makeWorld()
    const heard = listen()
    await auth.handle(new Request("https://app.test/auth/csrf"))
    expect(heard.map(([event]) => event)).toEqual(["start", "end", "asyncStart", "asyncEnd"])
    expect(heard[0]?.[1]).toEqual({ action: "csrf", method: "GET", caller: "browser" })
    expect(heard[3]?.[1]).toEqual({ action: "csrf", method: "GET", caller: "browser", reply: "json", status: 200 })
  })

  it("names the error of a refusal, without an incident", async () => {
    const { auth } = await makeWorld()
    const heard = listen()
    await auth.handle(new Request("https://app.test/auth/nothing"))
    const [, refused] = heard.find(([event]) => event === "error") ?? []
    expect(refused).toMatchObject({ action: undefined, status: 404, errorType: "UnknownAction", isFault: false })
    expect(refused).not.toHaveProperty("incident")
  })

  it("names the incident of a fault, as the response does", async () => {
    const { auth } = await makeWorld({ config: { secret: "" } })
    const heard = listen()
    const answer = await auth.handle(new Request("https://app.test/auth/session"))
    const [, fault] = heard.find(([event]) => event === "error") ?? []
    expect(fault).toMatchObject({ errorType: "MissingSecret", isFault: true, caller: "browser" })
    expect(fault?.incident).toBe(answer.headers.get("x-auth-incident"))
    expect(fault?.incident).toMatch(/^\w{12}$/)
  })

  it("covers calls in this process, and names their provider", async () => {
    const { auth } = await makeWorld()
    const heard = listen()
    await auth.signIn({ url: "https://app.test/", headers: {} }, "op")
    expect(heard.at(-1)?.[1]).toMatchObject({
      action: "signin",
      caller: "server",
      provider: "op",
      providerType: "oidc",
    })
  })

  it("contains no secret, no address and no personal data", async () => {
    const world = await makeWorld()
    const heard = listen()
    const browser = world.browser()
    await world.signInAtOp(browser)
    await browser.post("/auth/callback/credentials", rightCredentials)
    const session = [...browser.jar.values()].map(({ value }) => value)
    const text = JSON.stringify(heard)
    expect(heard.length).toBeGreaterThan(8)
    for (const secret of [worldSecret, "@", "://", "Ada", ...session]) expect(text).not.toContain(secret)
  })

  it("passes a store that is bound to `start` to what the action calls", async () => {
    const { AsyncLocalStorage } = await import("node:async_hooks")
    const store = new AsyncLocalStorage<string>()
    channel.start.bindStore(store, () => "bound")
    undo.push(() => void channel.start.unbindStore(store))
    listen()
    const seen: (string | undefined)[] = []
    const { auth } = await makeWorld({
      config: {
        callbacks: {
          redirect: ({ baseUrl }) => {
            seen.push(store.getStore())
            return baseUrl
          },
        },
      },
    })
    await auth.signIn({ url: "https://app.test/", headers: {} }, "op", { redirectTo: "/" })
    expect(seen).toContain("bound")
  })
})

describe("the subscriber of the guide", () => {
  it("makes spans and metrics that the SDK of OpenTelemetry exports", async () => {
    const spans = new InMemorySpanExporter()
    const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
    undo.push(trace.disable.bind(trace), metrics.disable.bind(metrics))
    await load(codeOf(readFileSync(new URL("../../../../docs/guides/observability.md", import.meta.url), "utf8")))

    const world = await makeWorld()
    await world.signInAtOp(world.browser())
    await world.auth.handle(new Request("https://app.test/auth/nothing"))
    await (await makeWorld({ config: { secret: "" } })).auth.handle(new Request("https://app.test/auth/session"))
    await reader.forceFlush()

    const finished = spans.getFinishedSpans()
    const callback = finished.find(({ name }) => name === "auth GET callback")
    expect(callback?.attributes).toMatchObject({ "auth.action": "callback", "auth.provider": "op", "auth.status": 302 })
    expect(callback?.status.code).toBe(SpanStatusCode.UNSET)
    const unknown = finished.find(({ name }) => name === "auth GET unknown")
    expect(unknown?.attributes).toMatchObject({ "error.type": "UnknownAction", "auth.status": 404 })
    expect(unknown?.status.code).toBe(SpanStatusCode.UNSET)
    const fault = finished.find(({ name }) => name === "auth GET session")
    expect(fault?.status).toEqual({ code: SpanStatusCode.ERROR, message: "MissingSecret" })
    expect(fault?.attributes["auth.incident"]).toMatch(/^\w{12}$/)
    const [metric] = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics))
    expect(metric?.descriptor).toMatchObject({ name: "auth.action.duration", unit: "s" })
    expect(metric?.dataPoints.map(({ attributes }) => attributes["auth.action"])).toContain("callback")
  })
})

function codeOf(page: string): string {
  const code = /^```js\n(\/\/ telemetry\.js\n.*?)^```$/ms.exec(page)?.[1] ?? ""
  const [body = ""] = code.split("\n\n").slice(-1)
  expect(body.split("\n").length, "the subscriber is short enough to be read at once").toBeLessThanOrEqual(25)
  return code
}

/** As the application does it: once, before the first request. */
async function load(code: string): Promise<void> {
  const folder = fileURLToPath(new URL("../.tmp", import.meta.url))
  mkdirSync(folder, { recursive: true })
  const place = mkdtempSync(join(folder, "guide-"))
  undo.push(() => rmSync(place, { recursive: true, force: true }))
  const file = join(place, "telemetry.mjs")
  writeFileSync(file, code)
  await import(file)
}
