import { describe, expect, it } from "vitest"
import { toHex } from "../std/bytes.js"
import { portable } from "./jose.js"
import { open, openWith } from "./jwe.js"
import { createKeyCache, createKeyring } from "./keyring.js"
import { cipher } from "./native.js"
import { hashVerificationToken, sha256Hex } from "./token.js"

const secret = "0123456789abcdef0123456789abcdef"
const now = new Date("2026-03-01T12:00:00Z")
const salt = "authjs.session-token"

const keys = [
  {
    salt,
    bytes:
      "4efa9fd285d4a49f0b0bf752d5b944a60e8884e86cec3c036b79ccf479c2d12fba514fed042805b8d2ae44787afe8e3d676d6bd9149c166e8f56a61ae6984ee8",
    kid512: "jl2BLFi5eD9Tpl7lbou2-rLXUzU7D1Wluzb_OV7sXan9mkCo9LxMXONS_6HuRNkpELELmzLMHiS4-TC2W-E65g",
    kid256: "rczBriBxoHxI6PMq077ECfGzXOy3f3_u47nx9EIBfKc",
  },
  {
    salt: "__Secure-authjs.session-token",
    bytes:
      "a58afe99ee500ec27165f83c5f41fe2f40120fbed26e576ae88a31824be1984760043c92def84b1c77851bf5f8f1e2f4b723661863f32ebfac858be6ff074d5e",
    kid512: "o30A5vpibj3eldZFnzPpDnF9vyBtQoGHeLFfH-rnzScby22EKM48vqhV1UD3HCKEzCVLDQVHeEM3edUbkruPqQ",
  },
  {
    salt: "encodedState",
    bytes:
      "9ad51fb59db5eb32de66d908de318551450cef8ba4dac6cfc9efcc6cbbfb189b299f70b66bf24de3112c04ea8e18e17bfb74f4d2f9dc5d66d62f07062d038f06",
  },
]

const tokens = {
  "A256CBC-HS512 with a name of its key": {
    token:
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiamwyQkxGaTVlRDlUcGw3bGJvdTItckxYVXpVN0QxV2x1emJfT1Y3c1hhbjlta0NvOUx4TVhPTlNfNkh1Uk5rcEVMRUxtekxNSGlTNC1UQzJXLUU2NWcifQ..01AonJDmg2LCLrO4XipCLQ.EvYT5cLCjbvlYcHwzifljggOfSPi3DpqMyJqR9rb14lexc-S1LW364hz5g8ilvz3ZG34vyUM75tktDZATME3VqrQoYSMK69xMhkVa9i3BrYbMqrZHpTPdejcCGZhUPuKm6W4C6pCe4ulml8R_OSyFw.nFluTPbL46j_By79yLmTmOyBG6-P7Ai47ZZy0F78A4s",
    claims: { name: "Vector", sub: "42", exp: 4950993306 },
  },
  "A256GCM with a name of its key": {
    token:
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoicmN6QnJpQnhvSHhJNlBNcTA3N0VDZkd6WE95M2YzX3U0N254OUVJQmZLYyJ9..jEitY3wjYKSd1olM.aJkHhDJFtwOAwwOWYpd7bHgdIKr0pIXPsq_jHprjf9PisEF4pr3oz9fIOfWsBViiSvQjqR_F3p6Jm7M.gAbSwgF2RY37f5SFETiC9g",
    claims: { name: "Gcm", sub: "43" },
  },
  "A256CBC-HS512 without a name of its key": {
    token:
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..MylcmIWCiG8WKPfTmMC1ew.TRibwxDkHunmbs7gtvTWdM5eKQR9czCLLFEANHhyHmEyxSMINGvH6tzSylTwabr4.tkdscc5pN2frUgMEh2eKDtgvMXRndZ8NHZPGlfP_URo",
    claims: { name: "NoKid", sub: "44" },
  },
}

describe("golden vectors", () => {
  for (const way of [cipher.derive, portable.derive]) {
    it.each(keys)(`derives the known key of $salt by ${way.name}`, async (known) => {
      const key = await way(secret, known.salt)
      expect(toHex(key.bytes)).toBe(known.bytes)
      if (known.kid512) expect(key.kid512).toBe(known.kid512)
      if (known.kid256) expect(key.kid256).toBe(known.kid256)
    })
  }

  const keyring = createKeyring([secret], createKeyCache(8))
  for (const [what, { token, claims }] of Object.entries(tokens)) {
    it(`opens a known token: ${what}`, async () => {
      expect(await open(token, { keyring, salt, now })).toMatchObject(claims)
      expect(await openWith(portable, token, { keyring, salt, now })).toMatchObject(claims)
    })
  }

  it("opens a token without a key's name with the secret that decrypts it", async () => {
    const { token, claims } = tokens["A256CBC-HS512 without a name of its key"]
    const rotated = createKeyring(["another secret, newer than the first", secret], createKeyCache(8))
    expect(await open(token, { keyring: rotated, salt, now })).toMatchObject(claims)
  })

  it("opens a token of an older secret by its key's name", { tags: ["threat:SF-19"] }, async () => {
    const { token, claims } = tokens["A256GCM with a name of its key"]
    const rotated = createKeyring(["another secret, newer than the first", secret], createKeyCache(8))
    expect(await open(token, { keyring: rotated, salt, now })).toMatchObject(claims)
  })

  it("hashes the CSRF token of Auth.js", async () => {
    const token = "a4ee19fcb4dd837bf1d0ad116876a996d8b4eff76edf0dae9d42122cc26ca3b6"
    expect(await sha256Hex(`${token}s3cret`)).toBe("b8e601986a04751f47dfdb66f7ff820003d9f93f6d8efb3d6fa1f4163733ffda")
    expect(await sha256Hex(`${"0".repeat(64)}new,old`)).toBe(
      "f1acdf77ccc51a84f1ed36d12d51476495ab0860e3520173b9d5dc97bc1caa54",
    )
  })

  it("hashes a verification token with the secret [spec authentication 6]", async () => {
    const token = "ea6730976c760b2139e8ba1d34875d75aa9db77375df4f1099e98b2fd71d6d7f"
    expect(await hashVerificationToken(token, "s3cret")).toBe(
      "a9c05e849bbaed869ec5c5d7e76b0406f04982fb7126f220d65fa9f344778196",
    )
  })
})
