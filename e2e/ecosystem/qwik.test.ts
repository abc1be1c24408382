/** `@auth/qwik` on our engine, in an application that Vite has built for Node. */

import { expect, it } from "vitest"
import type { Visit } from "../../packages/core/test/support/browser.js"
import { byTsc, describeApplication } from "./support/application.js"
import { ada } from "./support/journey.js"

/** Names its build gives its actions. */
const actions = { signIn: "xjVnyrcqS90", signOut: "ah1IDwV91Ag" }

const story = {
  framework: "@auth/qwik",
  folder: "qwik",
  basePath: "/auth",
  build: [
    ["node_modules/.bin/vite", "build"],
    ["node_modules/.bin/vite", "build", "-c", "server.vite.config.ts"],
  ],
  checkTypes: byTsc,
  start: ["node", "dist/server/entry.node.js"],
  csrf: false,
  mayPrint: /csrf-disabled/,
}

describeApplication(story, (running) => {
  it("signs in and out by its actions, where a script asks", async () => {
    const { op, open } = running()
    const browser = open()
    const act = (action: string, fields: Record<string, string>, headers = {}): Promise<Visit> =>
      browser.post(`/?qaction=${action}`, fields, { csrf: false, headers })
    const fields = { providerId: "certified", "options.redirectTo": "/?came=back" }
    // Without the header its action goes nowhere: it waits for JSON and gets a redirect, whatever the engine.
    expect((await act(actions.signIn, fields)).status).toBe(200)
    const gone = await act(actions.signIn, fields, { "x-auth-return-redirect": "1" })
    expect([gone.status, gone.location]).toEqual([301, expect.stringContaining(op.issuer)])
    await browser.get(await op.authorize(gone.location ?? ""))
    expect((await browser.get("/")).text).toContain(ada.name)
    await act(actions.signOut, { redirectTo: "/" })
    expect(await browser.session()).toBeNull()
  })
})
