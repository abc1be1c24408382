/** The mail that carries a sign-in link, as subject, text and HTML. Every value is escaped; nothing is loaded, so that no preview reports that it was opened. */
import { type Html, html, rawHtml, renderHtml } from "../../std/html.js"
import { english, type Wording } from "../../texts/wording.js"
import type { Theme } from "../../types/appearance.js"
import { deviceOf } from "./device.js"

/** What the mail says. */
export interface SignInMessageView {
  /** The link. */
  readonly url: string
  /** When the link ends. */
  readonly expires?: Date | undefined
  readonly theme?: Readonly<Theme> | undefined
  /** The language of the mail. @default English */
  readonly wording?: Wording | undefined
  /** The request that asked for the link: the mail names its browser and system. */
  readonly request?: { readonly headers: { get(name: string): string | null } } | undefined
}

/** A mail, ready to be sent. */
export interface SignInMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Writes the mail. Senders of your own may use it. */
export function signInMessage({
  url,
  expires,
  theme = {},
  wording = english,
  request,
}: SignInMessageView): SignInMessage {
  const app = nameOf(theme) ?? new URL(url).host
  const time = expires && wording.moment(expires)
  const device = deviceOf(request?.headers.get("user-agent"), wording)
  const parts: Parts = {
    subject: onOneLine(wording.text("mail.subject", { app })),
    intro: time ? wording.text("mail.intro", { app, time }) : wording.text("mail.introOnce", { app }),
    why: device ? wording.text("mail.whyFrom", { app, device }) : wording.text("mail.why", { app }),
    notYou: wording.text("mail.notYou"),
  }
  const textIntro = time ? wording.text("mail.textIntro", { app, time }) : wording.text("mail.textIntroOnce", { app })
  return {
    subject: parts.subject,
    text: [parts.subject, "", textIntro, "", url, "", parts.why, parts.notYou, ""].join("\n"),
    html: renderHtml(documentOf({ url, app, parts, wording, look: lookOf(theme) })),
  }
}

/** The name of the application, as the mail writes it. */
function nameOf({ name }: Readonly<Theme>): string | undefined {
  const text = typeof name === "string" ? onOneLine(name) : ""
  return text === "" ? undefined : text
}

/** The subject and the names in it stand in a header, which a line break would end. */
const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()

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
  readonly line: string
  readonly brand: string
  readonly onBrand: string
}

const light = { ground: "#f4f5f7", card: "#ffffff", ink: "#1c2330", faint: "#5c6675", line: "#dfe3e8" }
const dark = { ground: "#14171c", card: "#1f242c", ink: "#f0f2f5", faint: "#a3adbb", line: "#39414d" }

// A constant: nothing that comes from outside stands in it. Colours of elements are overruled where the program is dark.
const darkStyle = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){.ground{background:${dark.ground}!important}.card{background:${dark.card}!important;border-color:${dark.line}!important}.ink{color:${dark.ink}!important}.faint{color:${dark.faint}!important}.line{border-color:${dark.line}!important}}`

function lookOf({ colorScheme = "auto", brandColor, buttonText }: Readonly<Theme>): Look {
  const brand = colourOf(brandColor) ?? "#3350c9"
  return {
    ...(colorScheme === "dark" ? dark : light),
    scheme: colorScheme === "dark" || colorScheme === "light" ? colorScheme : "light dark",
    brand,
    onBrand: colourOf(buttonText) ?? readableOn(brand),
  }
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

interface Parts {
  readonly subject: string
  readonly intro: string
  readonly why: string
  readonly notYou: string
}

interface Content {
  readonly url: string
  readonly app: string
  readonly parts: Parts
  readonly wording: Wording
  readonly look: Look
}

/** Colours stand on each element as well, because some programs drop the style element. */
function documentOf({ url, app, parts, wording, look }: Content): Html {
  const { ground, card, ink, faint, line, brand, onBrand, scheme } = look
  const { lang, dir } = wording
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${parts.subject}</title>
${scheme === "light dark" ? html`<style>${rawHtml(darkStyle)}</style>` : ""}
</head>
<body class="ground" style="margin:0;padding:0;background:${ground};${font};line-height:1.5">
<table role="presentation" lang="${lang}" dir="${dir}" width="100%" cellspacing="0" cellpadding="0" border="0" class="ground" style="background:${ground}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" border="0" class="card" style="max-width:480px;background:${card};border:1px solid ${line};border-radius:16px">
<tr><td style="padding:36px 32px;text-align:start;color:${ink};${font}" class="ink">
<p class="ink" style="margin:0 0 24px;font-size:15px;font-weight:600;color:${ink}">${app}</p>
<h1 class="ink" style="margin:0 0 12px;font-size:22px;line-height:1.3;font-weight:650;color:${ink}">${parts.subject}</h1>
<p class="ink" style="margin:0 0 24px;font-size:16px;color:${ink}">${parts.intro}</p>
<table role="presentation" cellspacing="0" cellpadding="0" border="0" style="margin:0 0 28px"><tr><td style="border-radius:10px;background:${brand}"><a href="${url}" style="display:inline-block;padding:13px 28px;border:1px solid ${brand};border-radius:10px;background:${brand};color:${onBrand};font-size:16px;font-weight:600;text-decoration:none">${wording.text("mail.button")}</a></td></tr></table>
<p class="faint" style="margin:0 0 4px;font-size:14px;color:${faint}">${wording.text("mail.address")}</p>
<p style="margin:0 0 24px;font-size:13px;line-height:1.4;word-break:break-all;text-align:start" dir="ltr"><a href="${url}" class="faint" style="color:${faint}">${url}</a></p>
<p class="faint line" style="margin:0;padding:20px 0 0;border-top:1px solid ${line};font-size:14px;color:${faint}">${parts.why}<br>${parts.notYou}</p>
</td></tr>
</table>
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

/** White or black, whichever has more contrast on a colour; white where the colour is not written in hexadecimal. */
function readableOn(brand: string): string {
  const [, digits] = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(brand) ?? []
  if (digits === undefined) return "#ffffff"
  const size = digits.length / 3
  const parts = [0, 1, 2].map((index) => {
    const part = digits.slice(index * size, (index + 1) * size)
    const level = Number.parseInt(size === 1 ? part + part : part, 16) / 255
    // WCAG 2.2, relative luminance.
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = parts
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff"
}
