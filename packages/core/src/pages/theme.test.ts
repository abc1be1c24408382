import { describe, expect, it } from "vitest"
import { plainColour, themeStyle } from "./theme.js"

const colours = [
  "#fff",
  "#FFFF",
  "#346df1",
  "#346df1cc",
  "rgb(1, 2, 3)",
  "rgba(1 2 3 / 50%)",
  "hsl(210deg 50% 40%)",
  "hwb(90 10% 10%)",
  "oklch(0.6 0.2 250)",
  "color(display-p3 1 0 0)",
  "rebeccapurple",
  "Navy",
  " teal ",
]
const others = [
  "",
  "#ff",
  "#fffff",
  "#ggg",
  "red;}",
  "red}body{color:red",
  "url(//evil.test)",
  "rgb(url(x))",
  "var(--x)",
  "expression(1)",
  "rgb(0,0,0);",
  "rgb(0,0,0)}",
  "</style>",
  "inherit",
  "transparent",
  "currentcolor",
  "banana",
  "red /**/",
  "re\\64",
  `rgb(${"1".repeat(100)})`,
  7,
  null,
  undefined,
  {},
  ["red"],
]

describe("a colour", () => {
  it.each(colours)("is %j", (value) => {
    expect(plainColour(value)).toBe(value.trim())
  })

  it.each(others)(
    "is not %j, which is dropped [spec theme brandColor]",
    { tags: ["threat:HT-05", "threat:HT-06"] },
    async (value) => {
      expect(plainColour(value)).toBeUndefined()
      expect(await themeStyle({ brandColor: value as string, buttonText: value as string })).toBeUndefined()
    },
  )
})

describe("the theme's colours", () => {
  it.each([
    ["[spec theme brandColor]", { brandColor: "#346df1" }, ":root{--brand:#346df1}"],
    ["[spec theme buttonText]", { buttonText: "gold" }, ":root{--on-brand:gold}"],
    ["both", { brandColor: "navy", buttonText: "white" }, ":root{--brand:navy;--on-brand:white}"],
    ["the good one of two", { brandColor: "}", buttonText: "white" }, ":root{--on-brand:white}"],
  ])("%s stand in a style of their own", async (_, theme, text) => {
    expect((await themeStyle(theme))?.text).toBe(text)
  })

  it("come with the hash a browser computes", async () => {
    // From: printf ':root{--brand:#346df1}' | openssl dgst -sha256 -binary | base64
    expect((await themeStyle({ brandColor: "#346df1" }))?.hash).toBe(
      "sha256-vLirErCvxvHdPb6KYQRZf/Q3qo9edXNrZaNGwq/oBV0=",
    )
  })

  it("are nothing when nothing is set", async () => {
    expect(await themeStyle({})).toBeUndefined()
  })
})
