/** Guesses at a person in a form that no page sends: applications that read it loosely know the person, so it is counted. */
import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { openBrowser } from "../support/browser.js"
import { credentialsProvider } from "../support/credentials.js"

type Authorize = (fields: Record<string, unknown>) => unknown

/** Opens an application with limits; posts a sign-in as JSON and says the status. */
function open(authorize: Authorize): (name: unknown, password: string) => Promise<number> {
  // Without records, tries are counted for the whole process, under keys that the secret makes.
  const secret = randomBytes(32).toString("hex")
  const config = { secret, trustHost: true, providers: [credentialsProvider(authorize)] }
  const browser = openBrowser(createAuth(config, { env: { NODE_ENV: "production" } }).handle)
  return async (name, password) => {
    const body = JSON.stringify({ csrfToken: await browser.csrfToken(), name, password })
    const headers = { "content-type": "application/json" }
    return (await browser.send("/auth/callback/credentials", { method: "POST", headers, body })).status
  }
}

/** Guesses forty times; says how often the application was asked about somebody it takes for Ada. */
async function guess(nameOf: (index: number) => unknown, right: (index: number) => boolean): Promise<number> {
  let asked = 0
  const signIn = open(({ name, password }) => {
    // As drivers of databases and comparisons without types read it.
    if (!String(name).trim().split(",").includes("ada")) return null
    asked += 1
    return password === "right" ? { id: "7", name: "Ada" } : null
  })
  for (let index = 0; index < 40; index += 1) await signIn(nameOf(index), right(index) ? "right" : "wrong")
  return asked
}

it.each<[string, (index: number) => unknown]>([
  ["a text", () => "ada"],
  ["a text after many spaces", (index) => `${" ".repeat(505 + index)}ada`],
  ["a text after more than is folded", (index) => `${"\u3000".repeat(4096 + index)}ada`],
  ["a list", () => ["ada"]],
  ["lists that differ", (index) => ["ada", index]],
  ["lists in lists", (index) => [["ada"], { index }]],
])("as %s are let through ten times", { tags: ["threat:V6-06"] }, async (_, nameOf) => {
  expect(await guess(nameOf, () => false)).toBe(10)
})

it("as lists open no budget of its own for a browser that has signed in like that", {
  tags: ["threat:V6-06"],
}, async () => {
  const asked = await guess(
    (index) => ["ada", index],
    (index) => index === 0,
  )
  expect(asked).toBe(11)
})

it("in spellings that a database takes for the same are let through ten times", {
  tags: ["threat:V6-06"],
}, async () => {
  let asked = 0
  // As MySQL compares by default.
  const collator = new Intl.Collator("en", { sensitivity: "base" })
  const signIn = open(({ name }) => {
    if (collator.compare(String(name).normalize("NFKD"), "adalovelace") === 0) asked += 1
    return null
  })
  const spellings = ["a", "á", "à", "â", "ä", "ã", "å", "ā", "ă", "ą", "a\u200b", "a\u00ad"]
  for (const first of spellings)
    for (const second of ["e", "é", "è", "ė"]) await signIn(`${first}dalov${second}lace`, "wrong")
  expect(asked).toBe(10)
})

/** As MariaDB compares with `utf8mb4_uca1400_ai_ci`, and MySQL by default. */
const isAda = (name: string): boolean =>
  new Intl.Collator("en", { sensitivity: "base" }).compare(name.replaceAll("\u0363", "a"), "ada") === 0

const base = new Intl.Collator("en", { sensitivity: "base" })
const isIsabella = (name: string): boolean => base.compare(name, "isabella10") === 0

const pairs = { ll: ["Ỻ", "ỻ"], "10": ["⓾", "❿", "➉", "➓", "㉈"] }
const pictures = { is: ["🅸s", "🅘s"], sa: ["🆍"], ab: ["🆎"], "10": ["1𝟶", "𝟷0", "𝟷𝟶"] }
const radicals = { 马: ["⻢"], 龙: ["⻰"], 黄: ["⻩"] }
const scripts = {
  παναγιωτης: { ι: ["\u037a"] },
  محمدمصطفى: { م: ["\u06fe"], ى: ["\u06cc"] },
  علي: { ي: ["\u06e6", "\u0885"], ع: ["\u060f"] },
  ܓܒܪܐ: { ܓ: ["\u0714"], ܒ: ["\u072d"] },
  євген: { є: ["\ua674"] },
  เพชรแสงโสม: { เพ: ["พเ\u200d"], แส: ["สแ\u200d"], โส: ["สโ\u200d"] },
  ເພັດແສງ: { ເພ: ["ພເ\u200d"], ແສ: ["ສແ\u200d"] },
  علاءالدين: { ءا: ["\u0675"] },
  উৎপল: { ৎ: ["ত\u09cd"] },
  മോഹൻനായർ: { ൻ: ["ന\u0d4d\u200d"], ർ: ["ര\u0d4d\u200d"] },
  "o'brien": { "'": ["’", "‘", "׳"] },
} as const
const above = { r: ["\u036c"], i: ["\u0365"], c: ["\u0368"], h: ["\u036a"], a: ["\u0363"] }
const readAbove = Object.fromEntries(Object.entries(above).map(([letter, [sign = ""]]) => [sign, letter]))
const georgian = { გ: ["Ⴂ"], ი: ["Ⴈ"], ო: ["Ⴍ"], რ: ["Ⴐ"] }

/** The name in one of its ways to write it, in another for each index. */
function spelled(name: string, ways: Readonly<Record<string, readonly string[]>>, index: number): string {
  let [written, left] = [name, index]
  for (const [plain, others] of Object.entries(ways)) {
    const all = [plain, ...others]
    written = written.replace(plain, all[left % all.length] ?? plain)
    left = Math.floor(left / all.length)
  }
  return written
}

it.each<[string, (index: number) => string, (name: string) => boolean]>([
  ["with points of another script", (index) => `a${String.fromCodePoint(0x591 + (index % 32))}da`, isAda],
  ["with more and more of them", (index) => `a${"\u05b0".repeat(index)}da`, isAda],
  ["with a letter written over another", (index) => `${index % 2 ? "a" : "\u0363"}da`, isAda],
  ["with zeros in front of a number", (index) => `${"0".repeat(index)}4711`, (name) => Number(name) === 4711],
  ["with zeros behind a number", (index) => `4711.${"0".repeat(index)}`, (name) => Number(name) === 4711],
  [
    "with more marks than a name has room for",
    (index) => ["ada".slice(0, index % 4), "ada".slice(index % 4)].join("\u0301".repeat(520)),
    isAda,
  ],
  [
    "with letters above others and much that nobody sees",
    (index) => spelled("richard", above, index) + "\u200b".repeat(600),
    (name) => [...name.replaceAll("\u200b", "")].map((one) => readAbove[one] ?? one).join("") === "richard",
  ],
  [
    "behind more of what an older collation does not see",
    (index) => `${"\u06de".repeat(512 - (index % 3))}ada`,
    (name) => name.replaceAll("\u06de", "") === "ada",
  ],
  ["in more characters than are folded", (index) => `ada${"\u200b".repeat(4096 + index)}`, isAda],
  [
    "with more zeros than a name has room for",
    (index) => `${"0".repeat(600 + index)}4711`,
    (name) => Number(name) === 4711,
  ],
  [
    "with a number that is compared as a double",
    (index) => `12345678901234567${index % 2}${["", ".5", "e0"][index % 3]}`,
    (name) => Number(name) === Number("123456789012345670"),
  ],
  ["with characters that stand for several", (index) => spelled("isabella10", pairs, index), isIsabella],
  ["with such beyond the first plane", (index) => spelled("isabella10", pictures, index), isIsabella],
  [
    "with such and more marks than a name has room for",
    (index) => spelled("isabella10", pictures, index) + "\u0301".repeat(520),
    isIsabella,
  ],
  ["with radicals", (index) => spelled("马龙黄", radicals, index), (name) => base.compare(name, "马龙黄") === 0],
  ...Object.entries(scripts).map(([name, ways]): [string, (index: number) => string, (typed: string) => boolean] => [
    `with letters of its script that are taken for one another: ${name},`,
    (index) => spelled(name, ways, index),
    (typed) => base.compare(typed, name) === 0,
  ]),
  [
    "with letters of another Georgian alphabet",
    (index) => spelled("გიორგი", georgian, index),
    (name) => name.replaceAll(/[Ⴀ-Ⴥ]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0x30)) === "გიორგი",
  ],
  [
    "with an iota written below",
    (index) => spelled("ιωαννιδης", { ι: ["\u0345"] }, index),
    (name) => name.replaceAll("\u0345", "ι") === "ιωαννιδης",
  ],
  [
    "with an iota below its letter, looked up in capitals",
    (index) => spelled("αικηισωι", { αι: ["ᾳ"], ηι: ["ῃ"], ωι: ["ῳ"] }, index),
    (name) => name.toUpperCase() === "ΑΙΚΗΙΣΩΙ",
  ],
  [
    "with signs of what cannot be shown",
    (index) => (index % 2 ? "a🦊da" : "a\ufffdda"),
    (name) => name.replaceAll(/\ufffd|[\u{10000}-\u{10ffff}]/gu, "*") === "a*da",
  ],
  [
    "with letters that an older collation takes for any picture",
    (index) => `ada${String.fromCodePoint(0x1d400 + index)}`,
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "*") === "ada*",
  ],
  [
    "with letters that an older collation does not see",
    (index) => `${String.fromCodePoint(0x1d400 + index)}ada${index % 2 ? "" : "\u0301".repeat(520)}`,
    (name) => name.replaceAll(/\u0301|[\u{10000}-\u{10ffff}]/gu, "") === "ada",
  ],
  [
    "with ideographs that stand for others, one of them in the name",
    (index) => `${String.fromCodePoint(index === 0 ? 0x20bb7 : 0x2f800 + index)}田`,
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "*") === "*田",
  ],
  [
    "with ideographs that stand for others, which an older collation does not see",
    (index) => `a${String.fromCodePoint(0x2f800 + index)}da`,
    (name) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "") === "ada",
  ],
  [
    "with an iota below a letter and any picture",
    (index) => `αν${"αᾳ"[index % 2]}${String.fromCodePoint(0x1f980 + index)}`,
    (name) =>
      name
        .normalize("NFD")
        .replaceAll(/\p{M}/gu, "")
        .replaceAll(/[\u{10000}-\u{10ffff}]/gu, "*") === "ανα*",
  ],
  [
    "with an iota written below and a digit beyond the first plane",
    (index) => `αν${"ι\u0345"[index % 2]}${String.fromCodePoint(0x1d7ce + index)}`,
    (name) => name.replaceAll("\u0345", "ι").replaceAll(/[\u{10000}-\u{10ffff}]/gu, "*") === "ανι*",
  ],
  ["with exponents", (index) => `4711${"0".repeat(index)}e-${index}`, (name) => Number(name) === 4711],
])("%s are let through ten times", { tags: ["threat:V6-06"] }, async (_, nameOf, isKnown) => {
  let asked = 0
  const signIn = open(({ name }) => {
    if (isKnown(String(name))) asked += 1
    return null
  })
  for (let index = 0; index < 40; index += 1) await signIn(nameOf(index), "wrong")
  expect(asked).toBe(10)
})

it("in letters beyond the first plane slow nobody who signs in with them", { tags: ["threat:V6-06"] }, async () => {
  const signIn = open(({ name, password }) => (name === "ada𝟷" && password === "right" ? { id: "7" } : null))
  for (let index = 0; index < 30; index += 1) expect(await signIn("ada𝟷", "right")).toBe(302)
})

it("in letters beyond the first plane count at both readings", { tags: ["threat:V6-06"] }, async () => {
  const signIn = open(() => null)
  for (let index = 0; index < 10; index += 1) expect(await signIn("ada𝟷", "wrong")).not.toBe(429)
  expect(await signIn("ada1", "wrong")).toBe(429)
  expect(await signIn("ada", "wrong")).toBe(429)
})

it("are counted by the name where the password comes first and no field has a type", {
  tags: ["threat:V6-06"],
}, async () => {
  const credentials = { pwd: {}, password: {}, passportNumber: {} }
  const provider = { ...credentialsProvider(() => null), credentials } as never
  const secret = randomBytes(32).toString("hex")
  const browser = openBrowser(
    createAuth({ secret, trustHost: true, providers: [provider] }, { env: { NODE_ENV: "production" } }).handle,
  )
  const guessWith = async (password: string): Promise<number> =>
    (await browser.post("/auth/callback/credentials", { passportNumber: "C01X0006H", pwd: password, password })).status
  for (let index = 0; index < 10; index += 1) expect(await guessWith(`guess-${index}`)).not.toBe(429)
  expect(await guessWith("another")).toBe(429)
})

it("as truth values, for which MySQL finds people, are counted together", { tags: ["threat:V6-06"] }, async () => {
  const signIn = open(() => null)
  for (let index = 0; index < 10; index += 1) expect(await signIn(index % 2 === 0, "wrong")).not.toBe(429)
  expect(await signIn(false, "wrong")).toBe(429)
  expect(await signIn(["ada"], "wrong")).toBe(429)
})

it("as numbers are counted for each number", { tags: ["threat:V6-06"] }, async () => {
  const signIn = open(() => null)
  for (let index = 0; index < 10; index += 1) expect(await signIn(4711, "wrong")).not.toBe(429)
  expect(await signIn(4711, "wrong")).toBe(429)
  expect(await signIn("4711", "wrong")).toBe(429)
  expect(await signIn(4712, "wrong")).not.toBe(429)
})

it.each<[string, unknown]>([
  ["an object", { toString: 1, valueOf: 1 }],
  ["an object in a list", [{ toString: 1, valueOf: 1 }]],
  ["an object without a text", { toString: null }],
])(
  "as %s that cannot be read as a text are handed over like any other",
  {
    tags: ["threat:V6-06"],
  },
  async (_, name) => {
    const asked: unknown[] = []
    const signIn = open((fields) => {
      asked.push(fields["name"])
      return null
    })
    await signIn(name, "wrong")
    expect(asked).toEqual([name])
  },
)

it("with long tokens in place of names are counted for each token alone", { tags: ["threat:V6-06"] }, async () => {
  const signIn = open(({ name }) => (name === "right".repeat(200) ? { id: "7", name: "Ada" } : null))
  for (let index = 0; index < 12; index += 1) await signIn(`${index}`.padEnd(900, "wrong"), "")
  expect(await signIn("right".repeat(200), "")).toBe(302)
})
