/** One simulated person with a browser: signs in, looks, signs out, and notices whatever is wrong. */

/** The browser: cookies, and no redirects by itself. */
export class Browser {
  cookies = new Map()

  constructor(origin, timed) {
    this.origin = origin
    this.timed = timed
  }

  /** Resolves to an answer, or to `undefined` where the connection broke. */
  async send(kind, path, init = {}) {
    const began = performance.now()
    try {
      const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ")
      const response = await fetch(new URL(path, this.origin), {
        redirect: "manual",
        signal: AbortSignal.timeout(20_000),
        ...init,
        headers: { ...(cookie && { cookie }), ...init.headers },
      })
      const text = await response.text()
      for (const line of response.headers.getSetCookie()) this.#keep(line)
      this.timed(kind, performance.now() - began, response.status)
      return {
        status: response.status,
        text,
        location: response.headers.get("location"),
        setCookies: response.headers.getSetCookie(),
      }
    } catch {
      this.timed(kind, performance.now() - began, 0)
      return undefined
    }
  }

  #keep(line) {
    const [pair, ...attributes] = line.split("; ")
    const name = pair.slice(0, pair.indexOf("="))
    const isGone = attributes.some((one) => one === "Max-Age=0" || /^Expires=Thu, 01 Jan 1970/.test(one))
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(name.length + 1))
  }

  async post(kind, path, fields) {
    const csrf = await this.send("csrf", "/auth/csrf")
    if (csrf?.status !== 200) return undefined
    const body = new URLSearchParams({ csrfToken: JSON.parse(csrf.text).csrfToken, ...fields })
    return this.send(kind, path, { method: "POST", body })
  }

  /** The token of the session, as it travels. */
  get session() {
    return this.cookies.get("authjs.session-token")
  }
}

const isError = ({ status, location }) => status >= 400 || (location ?? "").includes("error=")

/** A person. `world` holds what all share: the mailbox, the provider, and the book of what went wrong. */
export class Person {
  constructor(name, world) {
    this.world = world
    this.email = `${name}@people.test`
    this.name = name
    this.browser = new Browser(world.origin, world.timed)
    /** Whether the service has confirmed a sign-in that is not over. */
    this.isIn = false
  }

  async signIn(how) {
    const { browser } = this
    const before = browser.session
    const answer = await this[how]()
    const isDone = answer !== undefined && !isError(answer)
    if (!isDone || browser.session === undefined || browser.session === before) {
      // What was cut off may have happened: the earlier session may be over.
      if (before !== undefined) this.isIn = false
      return
    }
    if (before !== undefined) this.world.ended.push(before)
    this.isIn = true
    this.world.count("signedIn")
  }

  password() {
    return this.browser.post("password", "/auth/callback/credentials", {
      email: this.email,
      password: this.world.password,
    })
  }

  async mail() {
    const link = this.world.mailFor(this.email)
    const asked = await this.browser.post("mail", "/auth/signin/mail", { email: this.email })
    if (!asked || isError(asked)) return undefined
    const url = await link
    return url === undefined ? undefined : this.browser.send("link", new URL(url).pathname + new URL(url).search)
  }

  async provider() {
    const begun = await this.browser.post("begin", "/auth/signin/op", {})
    if (!begun?.location || isError(begun)) return undefined
    const asked = new URL(begun.location)
    asked.searchParams.set("login_hint", this.name)
    const back = await this.world.authorize(asked.href)
    return back === undefined ? undefined : this.browser.send("callback", new URL(back).pathname + new URL(back).search)
  }

  /** Looks who is signed in: never somebody else, and never nobody after a confirmed sign-in. */
  async look() {
    const answer = await this.browser.send("read", "/me")
    if (answer?.status !== 200) return
    const { email } = JSON.parse(answer.text)
    if (email !== null && email !== this.email) this.world.wrong(`${this.email} was shown the session of ${email}`)
    if (email === null && this.isIn) {
      this.world.wrong(`${this.email} was signed out without having asked for it`)
      this.isIn = false
    }
  }

  async signOut() {
    const token = this.browser.session
    if (!this.isIn || token === undefined) return
    const answer = await this.browser.post("signout", "/auth/signout", {})
    // What was not confirmed may be over or not.
    this.isIn = false
    if (!answer || isError(answer)) {
      this.browser.cookies.clear()
      return
    }
    this.world.ended.push(token)
    this.world.count("signedOut")
  }

  /** A stranger at somebody's password: never in, whether refused or made to wait. */
  async guess() {
    const browser = new Browser(this.world.origin, this.world.timed)
    const answer = await browser.post("guess", "/auth/callback/credentials", {
      email: "victim@people.test",
      password: "wrong",
    })
    if (answer?.status === 429 || answer?.location?.includes("error=TooMany")) this.world.count("made to wait")
    if (browser.session !== undefined) this.world.wrong("a wrong password signed somebody in")
  }
}
