import { describe, expect, it, vi } from "vitest"
import {
  equalInConstantTime,
  fromBase64,
  fromBase64url,
  fromHex,
  fromUtf8,
  readStream,
  toBase64,
  toBase64url,
  toHex,
  utf8,
} from "./bytes.js"

const samples = [0, 1, 2, 3, 4, 31, 32, 64, 8191, 8192, 8193, 20_000].map((length) =>
  Uint8Array.from({ length }, (_, index) => (index * 73 + length) % 256),
)

describe("bytes on a runtime without buffers of its own", async () => {
  vi.resetModules()
  vi.stubGlobal("process", undefined)
  const elsewhere = await import("./bytes.js")
  vi.unstubAllGlobals()

  it("are written as the same texts", () => {
    for (const bytes of [...samples, ...samples.map((sample) => sample.subarray(1))]) {
      const reference = Buffer.from(bytes)
      expect(elsewhere.toBase64(bytes)).toBe(reference.toString("base64"))
      expect(elsewhere.toBase64url(bytes)).toBe(reference.toString("base64url"))
      expect(elsewhere.toHex(bytes)).toBe(reference.toString("hex"))
      expect([toBase64(bytes), toBase64url(bytes), toHex(bytes)]).toEqual([
        elsewhere.toBase64(bytes),
        elsewhere.toBase64url(bytes),
        elsewhere.toHex(bytes),
      ])
    }
  })
})

describe("bytes", () => {
  it("brings every byte back from base64, base64url and their padded mixtures", () => {
    for (const bytes of samples) {
      const reference = Buffer.from(bytes)
      expect(toBase64(bytes)).toBe(reference.toString("base64"))
      expect(toBase64url(bytes)).toBe(reference.toString("base64url"))
      expect(toHex(bytes)).toBe(reference.toString("hex"))
      expect(fromBase64url(toBase64url(bytes))).toEqual(bytes)
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
      expect(fromBase64(toBase64url(bytes))).toEqual(bytes)
    }
  })

  it.each(["a", "abcde", "ab=", "ab==", "a+b/", "ab c", "ab\n", "äb", "ab*d"])("refuses %j as base64url", (text) => {
    expect(() => fromBase64url(text)).toThrow(TypeError)
  })

  it.each(["a", "abcde", "ab=", "abc==", "=", "==", "a===", "ab c", "ab\n", "äbcd", "ab*d"])(
    "refuses %j as base64",
    (text) => {
      expect(() => fromBase64(text)).toThrow(TypeError)
    },
  )

  it("reads and writes UTF-8", () => {
    expect(toHex(utf8("ä€😀"))).toBe("c3a4e282acf09f9880")
    expect(fromHex("c3a4e282acf09f9880")).toEqual(new Uint8Array(utf8("ä€😀")))
    expect(fromHex("")).toHaveLength(0)
    expect(fromUtf8(utf8("ä€😀"))).toBe("ä€😀")
    expect(fromUtf8(Uint8Array.of(0xff, 0x41))).toBe("\ufffdA")
  })

  it.each([
    ["", "", true],
    ["abc", "abc", true],
    ["abc", "abd", false],
    ["abc", "ab", false],
    ["ab", "abc", false],
    ["ab", "ab\0", false],
    ["ab\0", "ab", false],
    ["", "a", false],
    ["ä€😀", "ä€😀", true],
    ["ä€😀", "ä€😁", false],
  ])("compares %j and %j in constant time", { tags: ["threat:CS-08"] }, (a, b, equal) => {
    expect(equalInConstantTime(a, b)).toBe(equal)
  })
})

describe("a stream of bytes", () => {
  const parts = ["ab", "", "cde"]
  const streamOf = (cancel: () => void, source: readonly string[] = parts) => {
    const left = [...source]
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift()
        if (next === undefined) controller.close()
        else controller.enqueue(utf8(next))
      },
      cancel,
    })
  }
  const tooLarge = () => new RangeError("too large")

  it("is read whole where it is as long as the limit, each part with the deadline of its reader", async () => {
    let waited = 0
    const wait = <T>(part: Promise<T>): Promise<T> => {
      waited += 1
      return part
    }
    const cancel = vi.fn()
    expect(fromUtf8(await readStream(streamOf(cancel), 5, { tooLarge, wait }))).toBe("abcde")
    expect([waited, cancel.mock.calls.length]).toEqual([parts.length + 1, 0])
  })

  it("is cancelled and refused where it is longer", async () => {
    const cancel = vi.fn()
    await expect(readStream(streamOf(cancel), 4, { tooLarge })).rejects.toThrow("too large")
    expect(cancel).toHaveBeenCalledOnce()
  })

  it("keeps none of its parts, which take far more room than a byte each", async () => {
    const part = new Uint8Array(1)
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      part[0] = (part[0] ?? 0) + 1
      controller.enqueue(part)
      if (part[0] === 100) controller.close()
    }
    const read = await readStream(new ReadableStream({ pull }, { highWaterMark: 0 }), 300, { tooLarge })
    expect(read).toEqual(Uint8Array.from({ length: 100 }, (_, index) => index + 1))
  })

  it("is cancelled where the reader waits no longer", async () => {
    const cancel = vi.fn()
    const wait = () => Promise.reject(new Error("deadline"))
    await expect(readStream(streamOf(cancel), 5, { tooLarge, wait })).rejects.toThrow("deadline")
    expect(cancel).toHaveBeenCalledOnce()
  })
})
