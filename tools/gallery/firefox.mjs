/** Firefox, driven by what it speaks itself: WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), without a driver beside it. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import WebSocket from "ws"
import { withFonts } from "./chromium.mjs"
import { beforeScripts } from "./look.mjs"
import { address } from "./states.mjs"

const places = ["/usr/bin/firefox-esr", "/usr/bin/firefox"]

/** Path of Firefox, installed from Debian where that is possible. `FIREFOX` names another one. Throws when there is none. */
export function findFirefox() {
  if (process.env.FIREFOX) return process.env.FIREFOX
  const found = () => places.find(existsSync)
  if (!found() && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) install()
  const path = found()
  if (path) return path
  throw new Error(
    "The pages are looked at in Firefox too: sudo apt-get install firefox-esr (or set FIREFOX to its path).",
  )
}

function install() {
  console.log("Firefox is missing. Installing it: apt-get install firefox-esr")
  const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }
  execFileSync("apt-get", ["update", "-qq"], options)
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "firefox-esr"], options)
}

/** Draws pages in Firefox and calls `take` with each picture, where its elements stand, and what is wrong with it. */
export async function lookInFirefox(path, { gallery, list, take }) {
  // The colour scheme is a setting of Firefox: it is started for each.
  for (const scheme of ["light", "dark"]) {
    const pieces = list.filter((piece) => piece.scheme === scheme)
    if (pieces.length === 0) continue
    const firefox = await openFirefox(path, scheme)
    try {
      for (const piece of pieces) await take(piece, await lookAt(firefox, { origin: gallery.origin, ...piece }))
    } finally {
      await firefox.close()
    }
  }
}

async function lookAt({ send, run }, { origin, lang, theme, state, width }) {
  await send("browsingContext.setViewport", { viewport: { width, height: 720 } })
  const url = `${origin}/${lang}/${state.name}/${theme}`
  await send("browsingContext.navigate", { url, wait: "complete" })
  if (state.remembers) {
    await run(`sessionStorage.setItem("latchkey.address", ${JSON.stringify(address)})`)
    await send("browsingContext.navigate", { url, wait: "complete" })
  }
  if (state.fill) await run(`document.querySelector("input[data-address]").value = ${JSON.stringify(address)}`)
  for (const step of state.steps) await run(`document.querySelector(${JSON.stringify(step)}).click()`)
  const { refused, overhang, boxes } = JSON.parse(
    await run(`JSON.stringify({
      refused: window.refused,
      overhang: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      boxes: (${boxesOf})(),
    })`),
  )
  const { data } = await send("browsingContext.captureScreenshot", { origin: "document" })
  const complaints = overhang > 0 ? [...refused, `sticks out by ${overhang} px`] : refused
  return { picture: Buffer.from(data, "base64"), boxes, complaints }
}

/** Where everything stands that people read or use, in pixels of the page. Runs in a browser. */
export const boxesOf = () =>
  [...document.querySelectorAll("h1,p,a,button,input:not([type=hidden]),summary,img,label")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const name = `${element.localName} ${(element.textContent || element.name || "").trim()}`.trim()
      return { name, x, y: y + window.scrollY, width, height }
    })

async function openFirefox(path, scheme) {
  const profile = mkdtempSync(join(tmpdir(), "latchkey-firefox-"))
  const settings = {
    "layout.css.prefers-color-scheme.content-override": scheme === "dark" ? 0 : 1,
    // A scroll bar beside the page would move it by half of its width.
    "widget.gtk.overlay-scrollbars.enabled": true,
    "ui.useOverlayScrollbars": 1,
  }
  const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${value});\n`)
  writeFileSync(join(profile, "user.js"), lines.join(""))
  const child = spawn(path, ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"], {
    env: { ...withFonts(), HOME: profile },
    stdio: ["ignore", "ignore", "pipe"],
  })
  const ended = once(child, "exit")
  const socket = new WebSocket(`${await addressOf(child)}/session`)
  await once(socket, "open")
  const call = callerOf(socket)
  await call("session.new", { capabilities: {} })
  const { contexts } = await call("browsingContext.getTree", {})
  const { context } = contexts[0]
  await call("script.addPreloadScript", { functionDeclaration: `${beforeScripts}` })
  return {
    send: (method, params) => call(method, { context, ...params }),
    run: (expression) => evaluate(call, { context, expression }),
    close: async () => {
      socket.close()
      child.kill()
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Firefox prints where it can be spoken to. */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let printed = ""
    child.stderr.setEncoding("utf8").on("data", (text) => {
      printed += text
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(printed)
      if (found) resolve(found[1])
    })
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`Firefox ended with ${code} before it listened:\n${printed}`)))
  })
}

/** Sends commands, and hands out the answer of each. */
function callerOf(socket) {
  const waiting = new Map()
  let last = 0
  socket.on("message", (data) => {
    const { id, type, result, error, message } = JSON.parse(data)
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (type === "error") reject?.(new Error(`${error}: ${message}`))
    else resolve?.(result)
  })
  return (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}

async function evaluate(call, { context, expression }) {
  const answer = await call("script.evaluate", { expression, target: { context }, awaitPromise: true })
  if (answer.type === "exception") throw new Error(`Firefox could not run it: ${answer.exceptionDetails.text}`)
  return answer.result.value
}
