/** The password of a mail server has marks that addresses encode: an error that names it, in whatever spelling, shows it to no log. */
import { expect, it } from "vitest"
import { Nodemailer } from "../../src/providers/nodemailer.js"
import { makeWorld } from "../support/world.js"

const plain = "p@ss/word: 1"
const inAddress = encodeURIComponent(plain)
const servers = {
  "in its address": `smtp://ada:${inAddress}@mail.test`,
  "beside it": { host: "mail.test", auth: { user: "ada", pass: plain } },
  "in the address among its options": { url: `smtp://ada:${inAddress}@mail.test`, secure: true },
  "in the text of its connection": { connectionString: `smtp://ada:${inAddress}@mail.test` },
  "in an address that is read": new URL(`smtp://ada:${inAddress}@mail.test`),
  "for its certificate": { host: "mail.test", tls: { key: plain } },
  "for several certificates": { host: "mail.test", tls: { pfx: [{ buf: "", passphrase: plain }] } },
  "for its certificate, in its address": `smtps://mail.test/?tls.passphrase=${inAddress}`,
  "for its certificate, which stands in its address": `smtps://mail.test/?tls.key=${inAddress}`,
  "for its proxy": { host: "mail.test", proxy: `socks5://ada:${inAddress}@proxy.test` },
  "for its proxy, in its address": `smtp://mail.test/?proxy=${encodeURIComponent(`http://ada:${inAddress}@proxy.test`)}`,
  "of which there is a transport": { sendMail: () => {}, options: { auth: { user: "ada", pass: plain } } },
  "that signs in by OAuth 2": { host: "mail.test", auth: { type: "OAuth2", user: "ada", refreshToken: plain } },
}
const said = [
  plain,
  encodeURIComponent(plain),
  "p%40ss%2fword%3a%201",
  "p%40ss%2Fword%3A+1",
  JSON.stringify({ pass: plain }),
]

it.each(Object.entries(servers).flatMap(([where, server]) => said.map((text) => [where, text, server] as const)))(
  "the password of a mail server %s is not in the log as %s",
  { tags: ["threat:A-012"] },
  async (_, text, server) => {
    const sendVerificationRequest = (): never => {
      throw new Error(`535 no login for ada with ${text}.`)
    }
    const provider = Nodemailer({ id: "smtp", server, from: "a@app.test", sendVerificationRequest } as never)
    const world = await makeWorld({ mail: false, more: [provider] })
    await world.browser().post("/auth/signin/smtp", { email: "ada@app.test" })
    const { err } = (world.errors[0]?.cause ?? {}) as { readonly err?: Error }
    expect(err?.message).toMatch(/^535 no login for ada with .*\[redacted\]/)
    expect(`${err?.message} ${err?.stack}`).not.toMatch(/p(?:@|%40)ss/i)
  },
)
