/** The error page: what happened, in words a person can use, and a way on. Nothing of a request is repeated. */
import { html } from "../std/html.js"
import type { ErrorPageParam } from "../types/appearance.js"
import { incidentLine, layout, type PageParts, type PageView, safeAddress } from "./layout.js"

/** What the error page shows. Members taken from a query are the page's to check. */
export interface ErrorView extends PageView {
  readonly error?: string | undefined
  readonly incident?: string | undefined
  /** The status it is sent with, where that says more than the public value. */
  readonly status?: number | undefined
  readonly homeUrl: string
  readonly signinUrl: string
}

interface Notice {
  readonly heading: string
  readonly text: string
  /** Signing in (again) may help. */
  readonly offersSignin: boolean
}

const notices: Readonly<Record<ErrorPageParam, Notice>> = {
  Configuration: {
    heading: "Signing in is not working",
    text: "Something went wrong on this site. Its operators can find the details in their log.",
    offersSignin: false,
  },
  AccessDenied: {
    heading: "Access denied",
    text: "You do not have permission to sign in with this account.",
    offersSignin: true,
  },
  Verification: {
    heading: "This link no longer works",
    text: "It has been used already, or it has expired. Ask for a new one.",
    offersSignin: true,
  },
}

const unknown: Notice = {
  heading: "Something went wrong",
  text: "This could not be done. Go back and try again.",
  offersSignin: false,
}

/** An address that nothing answers to is no fault of this site: a link to it is misspelt, or of old. */
const notFound: Notice = {
  heading: "Page not found",
  text: "There is no sign-in method at this URL. The link may be misspelt or out of date.",
  offersSignin: true,
}

/** RFC 6585 §4. */
const tooMany: Notice = {
  heading: "Too many tries",
  text: "Wait a little, then try again. If it was not you who tried before, your account is still safe.",
  offersSignin: true,
}

function noticeOf({ error, status = 200 }: ErrorView): Notice {
  if (status === 404) return notFound
  if (status === 429) return tooMany
  // The request was invalid; nothing is wrong with the site.
  if (status >= 400 && status < 500 && error === "Configuration") return unknown
  return error !== undefined && Object.hasOwn(notices, error) ? notices[error as ErrorPageParam] : unknown
}

/** The error page. */
export async function errorPage(view: ErrorView): Promise<PageParts> {
  const { theme, incident, homeUrl, signinUrl } = view
  const notice = noticeOf(view)
  const home = html`<a href="${safeAddress(homeUrl)}">Back to the site</a>`
  return layout({
    title: "Error",
    theme,
    body: html`<h1>${notice.heading}</h1>
<p class="soft">${notice.text}</p>
${incidentLine(incident)}
${notice.offersSignin ? html`<a class="primary" href="${safeAddress(signinUrl)}">Sign in</a>` : ""}
<p class="way">${home}</p>`,
  })
}
