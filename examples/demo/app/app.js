/** The application: a few pages, the service mounted below /auth, and a mailbox. */
import { createHash } from "node:crypto"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { AuthError, authSession, ExpressAuth, requireSession, signIn } from "@latchkey/express"
import express from "express"
import { keys } from "./auth.js"
import { chosenLanguage, keepLanguage } from "./languages.js"
import { accountPage } from "./pages/account.js"
import { homePage, noticePage, protectedPage } from "./pages/home.js"
import { checkMailPage, mailboxPage, mailPage } from "./pages/mail.js"

/**
 * @typedef {{
 *   origin: string,
 *   identityOrigin: string,
 *   strategy: "database" | "jwt",
 *   auth: import("@latchkey/core").AuthService,
 *   store: import("./store.js").Store,
 *   mailbox: import("../mail/mailbox.js").Mailbox,
 * }} AppParts
 */

const publicFiles = fileURLToPath(new URL("../public", import.meta.url))

// The browser loads the client as it is published, module by module; the map tells it where the package is.
const clientFiles = dirname(fileURLToPath(import.meta.resolve("@latchkey/core/client")))
const importMap = JSON.stringify({ imports: { "@latchkey/core/client": "/assets/core/client.js" } })
const importMapHash = createHash("sha256").update(importMap).digest("base64")

/** @param {AppParts} parts */
export function createApp(parts) {
  const { auth, origin } = parts
  const app = express()
  app.disable("x-powered-by")
  app.use(onlyHere(origin))
  app.use("/assets/core", express.static(clientFiles))
  app.use("/assets", express.static(publicFiles))
  // What browsers ask for beside pages that name no icon.
  app.get("/favicon.ico", (_request, response) => response.sendFile("icon.svg", { root: publicFiles }))
  const service = ExpressAuth(auth)
  app.use("/auth", service)
  // Forms before the session: whoever sends one slowly must not act with a session that has ended meanwhile.
  app.use(guarded(parts), express.urlencoded({ extended: false }), authSession(auth))
  addPages(app, parts, service)
  addMailbox(app, parts)
  app.use((request, response) => {
    response.status(404).send(noticePage(visitOf(parts, request, response), lost).text)
  })
  app.use(failed)
  return app
}

const lost = { title: "Nothing here", text: "There is no such page in this demo." }

/**
 * @param {AppParts} parts
 * @param {import("express").Request} request
 * @param {import("express").Response} response
 * @returns {import("./pages/shell.js").Visit}
 */
const visitOf = ({ mailbox }, { path, headers }, { locals }) => ({
  session: locals["session"] ?? null,
  unread: mailbox.newest().filter(({ isRead }) => !isRead).length,
  path,
  language: chosenLanguage(headers.cookie),
  importMap,
})

const notices = /** @type {Record<string, { kind: "good" | "bad", text: string }>} */ ({
  unlinked: { kind: "good", text: "It no longer opens this account." },
  last: { kind: "bad", text: "That is the only way left to sign in. Link another one first." },
  unknown: { kind: "bad", text: "There is no such account here." },
  ended: { kind: "good", text: "That device is signed out." },
  alone: { kind: "good", text: "All other devices are signed out." },
})

/**
 * @param {import("express").Express} app
 * @param {AppParts} parts
 * @param {import("@latchkey/express").ExpressAuthObject} service
 */
function addPages(app, parts, service) {
  const { auth, identityOrigin, store, strategy } = parts
  const onlySignedIn = requireSession({ redirectTo: "/auth/signin" })
  const facts = { identityHost: new URL(identityOrigin).host, password: store.demoPassword, strategy }

  app.get("/", (request, response) => {
    response.send(homePage(visitOf(parts, request, response), facts).text)
  })
  app.post("/language", sameOrigin(parts.origin), (request, response) => {
    keepLanguage(response, request.body?.language)
    response.redirect("/")
  })
  app.get("/protected", onlySignedIn, (request, response) => {
    response.send(protectedPage(visitOf(parts, request, response)).text)
  })
  app.get("/account", onlySignedIn, async (request, response) => {
    const visit = visitOf(parts, request, response)
    const userId = visit.session?.user?.id ?? ""
    const belongings = await store.belongingsOf(userId)
    const notice = notices[String(request.query["notice"])]
    const devices = await service.sessions.list(request, response)
    const passkeys = await keys.list(auth, { url: parts.origin, headers: request.headers })
    response.send(accountPage(visit, { strategy, ...belongings, passkeys, devices, notice }).text)
  })
  const onlyRecent = recentSignIn(service)
  app.post("/account/devices", sameOrigin(parts.origin), onlySignedIn, onlyRecent, async (request, response) => {
    const id = String(request.body?.end)
    await (id === "others"
      ? service.sessions.endOthers(request, response)
      : service.sessions.end(request, response, id))
    response.redirect(`/account?notice=${id === "others" ? "alone" : "ended"}`)
  })
  app.post("/account/link", sameOrigin(parts.origin), onlySignedIn, async (request, response) => {
    await signIn(request, response, auth, { provider: "demo-op", redirectTo: "/account" })
  })
  app.post("/account/unlink", sameOrigin(parts.origin), onlySignedIn, onlyRecent, async (request, response) => {
    const { account, provider } = request.body ?? {}
    const userId = visitOf(parts, request, response).session?.user?.id ?? ""
    const outcome = await store.unlink(userId, { provider: String(provider), providerAccountId: String(account) })
    response.redirect(`/account?notice=${outcome}`)
  })
  app.get("/check-mail", (request, response) => {
    response.send(checkMailPage(visitOf(parts, request, response)).text)
  })
}

/**
 * @param {import("express").Express} app
 * @param {AppParts} parts
 */
function addMailbox(app, parts) {
  const { mailbox } = parts

  app.get("/mailbox", (request, response) => {
    response.send(mailboxPage(visitOf(parts, request, response), mailbox.newest()).text)
  })
  app.get("/mailbox/:id", (request, response, next) => {
    const mail = mailbox.find(request.params.id)
    if (!mail) return next()
    mail.isRead = true
    response.send(mailPage(visitOf(parts, request, response), mail).text)
  })
  app.get("/mailbox/:id/content", (request, response, next) => {
    const mail = mailbox.find(request.params.id)
    if (mail?.html === undefined) return next()
    // A mail is untrusted HTML: it is shown in a sandboxed frame that only allows opening links.
    response.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox",
    )
    response.send(`<base target="_top">${mail.html}`)
  })
}

/**
 * One address only: cookies and passkeys belong to `localhost`.
 *
 * @param {string} origin
 * @returns {import("express").RequestHandler}
 */
function onlyHere(origin) {
  const { host } = new URL(origin)
  return (request, response, next) => {
    if (request.headers.host === host) return next()
    response.redirect(`${origin}${request.originalUrl.startsWith("/") ? request.originalUrl : "/"}`)
  }
}

/**
 * @param {AppParts} parts
 * @returns {import("express").RequestHandler}
 */
function guarded({ identityOrigin }) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'self' 'sha256-${importMapHash}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "frame-src 'self'",
    // Linking an account is a form that redirects to the provider.
    `form-action 'self' ${identityOrigin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ")
  return (_request, response, next) => {
    response.set({
      "Cache-Control": "private, no-store",
      "Content-Security-Policy": policy,
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    })
    next()
  }
}

/**
 * The application's own forms change things, so they must come from its own pages.
 *
 * @param {string} origin
 * @returns {import("express").RequestHandler}
 */
function sameOrigin(origin) {
  return (request, response, next) => {
    if (request.headers.origin === origin) return next()
    response.sendStatus(403)
  }
}

/**
 * What takes a way in away, or a session elsewhere, asks for a sign-in of the last 15 minutes: a stolen cookie alone must not
 * throw its owner out.
 *
 * @param {import("@latchkey/express").ExpressAuthObject} service
 * @returns {import("express").RequestHandler}
 */
function recentSignIn(service) {
  return async (request, response, next) => {
    const here = (await service.sessions.list(request, response)).find(({ current }) => current)
    const isRecent = here?.via && Date.now() - here.startedAt.getTime() < 15 * 60 * 1000
    if (isRecent) return next()
    response.redirect("/auth/signin?error=SessionRequired&callbackUrl=/account")
  }
}

/** @type {import("express").ErrorRequestHandler} */
const failed = (error, _request, response, next) => {
  if (response.headersSent) return next(error)
  console.error(error instanceof AuthError ? `[demo] ${error.type}: ${error.message}` : error)
  const status = Number(error?.status) || 500
  const visit = { session: null, unread: 0, path: "", language: undefined, importMap }
  response
    .status(status)
    .send(
      noticePage(visit, { title: "That did not work", text: "The application could not do this. Its log tells more." })
        .text,
    )
}
