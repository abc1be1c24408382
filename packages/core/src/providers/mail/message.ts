/** The mail that carries a sign-in link, as subject, text and HTML. Every value is escaped; no image is loaded unless the theme names one. */
import { type Html, html, renderHtml } from "../../std/html.js"
import type { Theme } from "../../types/appearance.js"

/** What the mail tells. */
export interface SignInMessageView {
  /** The link. */
  readonly url: string
  /** When the link ends. */
  readonly expires?: Date | undefined
  readonly theme?: Readonly<Theme> | undefined
}

/** A mail, ready to be sent. */
export interface SignInMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Writes the mail. Senders of your own may use it. */
export function signInMessage({ url, expires, theme = {} }: SignInMessageView): SignInMessage {
  const { host } = new URL(url)
  const ending = expires ? `It works once, until ${timeOf(expires)}.` : "It works once."
  return {
    subject: `Sign in to ${host}`,
    text: [
      `Sign in to ${host}`,
      "",
      "Open this link to sign in:",
      url,
      "",
      ending,
      "If you did not ask for it, ignore this mail: nobody can sign in without the link.",
      "",
    ].join("\n"),
    html: renderHtml(documentOf({ url, host, ending, look: lookOf(theme) })),
  }
}

/** The From address of a mail: the configured one, else `no-reply` at the host of the link. */
export function fromAddress(from: string | undefined, url: string): string {
  return from ?? `no-reply@${new URL(url).hostname}`
}

interface Look {
  readonly scheme: "light dark" | "light" | "dark"
  readonly ground: string
  readonly card: string
  readonly ink: string
  readonly faint: string
  readonly brand: string
  readonly onBrand: string
  readonly logo: string | undefined
}

const light = { ground: "#f4f5f7", card: "#ffffff", ink: "#1c2330", faint: "#5c6675" }
const dark = { ground: "#14171c", card: "#1f242c", ink: "#f0f2f5", faint: "#a3adbb" }

function lookOf({ colorScheme = "auto", brandColor, buttonText, logo }: Readonly<Theme>): Look {
  return {
    ...(colorScheme === "dark" ? dark : light),
    scheme: colorScheme === "dark" || colorScheme === "light" ? colorScheme : "light dark",
    brand: colourOf(brandColor) ?? "#3350c9",
    onBrand: colourOf(buttonText) ?? "#ffffff",
    logo: imageOf(logo),
  }
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

function documentOf({ url, host, ending, look }: { url: string; host: string; ending: string; look: Look }): Html {
  const { ground, card, ink, faint, brand, onBrand } = look
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${look.scheme}">
<meta name="supported-color-schemes" content="${look.scheme}">
<title>Sign in to ${host}</title>
</head>
<body style="margin:0;padding:32px 16px;background:${ground};${font};line-height:1.5">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:460px;margin:0 auto;background:${card};border-radius:14px">
<tr><td style="padding:36px 32px;color:${ink};${font}">
${look.logo ? html`<img src="${look.logo}" alt="" height="40" style="display:block;height:40px;margin:0 0 24px">` : ""}
<h1 style="margin:0 0 12px;font-size:21px;line-height:1.3;font-weight:650;color:${ink}">Sign in to ${host}</h1>
<p style="margin:0 0 24px;font-size:15px;color:${ink}">Press the button to sign in. ${ending}</p>
<p style="margin:0 0 28px"><a href="${url}" style="display:inline-block;padding:12px 26px;border-radius:9px;background:${brand};color:${onBrand};font-size:16px;font-weight:600;text-decoration:none">Sign in</a></p>
<p style="margin:0 0 4px;font-size:13px;color:${faint}">The button does nothing? Open this address:</p>
<p style="margin:0 0 24px;font-size:13px;word-break:break-all"><a href="${url}" style="color:${faint}">${url}</a></p>
<p style="margin:0;font-size:13px;color:${faint}">If you did not ask for this mail, ignore it: nobody can sign in without the link.</p>
</td></tr>
</table>
</body>
</html>
`
}

// A value inside a style attribute may be a colour and nothing else.
const colour = /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,20}|(?:rgb|hsl)a?\([0-9.,%\s/deg]{1,40}\))$/i

function colourOf(value: string | undefined): string | undefined {
  return typeof value === "string" && colour.test(value) ? value : undefined
}

/** Mail programs load pictures over https only. */
function imageOf(address: string | undefined): string | undefined {
  return address && URL.canParse(address) && new URL(address).protocol === "https:" ? address : undefined
}

function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`
}
