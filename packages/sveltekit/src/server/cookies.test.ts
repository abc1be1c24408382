import { expect, it } from "vitest"
import { stage } from "../../test/support/application.js"
import { currentCookies, setCookies } from "./cookies.js"

const request = (cookie?: string): Request => new Request("http://app.test/", cookie ? { headers: { cookie } } : {})

it("says of every attribute what it is, so that the framework fills in nothing of its own", () => {
  const { event, set } = stage(request())
  setCookies(event, [{ name: "a", value: "1", options: { path: "/app", maxAge: 60, domain: undefined } }])
  setCookies(event, [{ name: "b", value: "2", options: { secure: true, httpOnly: true, sameSite: "none" } }])
  expect(set).toEqual([
    {
      name: "a",
      value: "1",
      options: { path: "/app", maxAge: 60, httpOnly: false, secure: false, sameSite: false },
    },
    { name: "b", value: "2", options: { path: "/", httpOnly: true, secure: true, sameSite: "none" } },
  ])
})

it("tells the cookies as they are after those that were set, without those that were taken away", () => {
  const { event } = stage(request("kept=%C3%A4; gone=1; changed=1"))
  setCookies(event, [
    { name: "gone", value: "", options: { maxAge: 0 } },
    { name: "changed", value: "2;3", options: {} },
  ])
  expect(currentCookies(event)).toBe("kept=%C3%A4; changed=2%3B3")
})
