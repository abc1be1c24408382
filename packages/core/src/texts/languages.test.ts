/** Which language somebody gets. */
import { describe, expect, it } from "vitest"
import { lookUp, negotiate, tagOf } from "./languages.js"

const offered = ["en", "de", "fr", "zh", "pt"]

describe("negotiate", () => {
  it.each([
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.5", "de"],
    ["sv, fr;q=0.4, de;q=0.8", "de"],
    ["fr;q=0.5,de;q=0.5", "fr"],
    ["DE-ch", "de"],
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    ["zh-TW,zh;q=0.9,en;q=0.8", "zh"],
    ["zh-Hant-HK,en;q=0.8", "en"],
    ["pt-BR", "pt"],
    ["sv,*;q=0.1", "en"],
    ["en;q=0,*", undefined],
    ["de;q=0, fr;q=0.1", "fr"],
    ["sv", undefined],
    ["", undefined],
    [null, undefined],
    ["de;q=2", undefined],
    ["de;q=abc,fr", "fr"],
    ["de;level=1,fr;q=0.1", "fr"],
    ["../../etc/passwd,fr", "fr"],
    ["__proto__,constructor,fr", "fr"],
  ])("answers %j with %j", (header, language) => {
    expect(negotiate(header, offered)).toBe(language)
  })

  it("reads no more than thirty-two ranges", () => {
    expect(negotiate(`${"sv,".repeat(31)}de`, offered)).toBe("de")
    expect(negotiate(`${"sv,".repeat(32)}de`, offered)).toBeUndefined()
  })
})

describe("lookUp", () => {
  it.each([
    ["de_AT", "de"],
    ["zh-Hans-CN", "zh"],
    ["zh-TW", undefined],
    ["deu", undefined],
    ["", undefined],
  ])("finds %j as %j", (tag, language) => {
    expect(lookUp(tag, offered)).toBe(language)
  })

  it("finds traditional Chinese where an application brings it", () => {
    expect(lookUp("zh-TW", [...offered, "zh-Hant"])).toBe("zh-Hant")
    expect(lookUp("zh-HK", [...offered, "zh-HK"])).toBe("zh-HK")
  })
})

it("writes the script of Chinese on the page", () => {
  expect(["zh", "de"].map(tagOf)).toEqual(["zh-Hans", "de"])
})
