/** The programming interface of the OpenID Foundation's conformance suite, as far as a run needs it. */

/** @typedef {{ testModule: string, variant?: Record<string, string> }} ModuleEntry */
/** @typedef {{ src: string, msg: string, result?: string, requirements?: string[], [member: string]: unknown }} LogEntry */

/** @param {string} address where the suite is, such as `https://localhost:8443` */
export function suiteAt(address) {
  const base = address.replace(/\/$/, "")
  const token = process.env["CONFORMANCE_TOKEN"]

  /** @param {string} method @param {string} path @param {{ query?: Record<string, string>, body?: unknown }} [sent] */
  async function call(method, path, { query = {}, body } = {}) {
    const url = `${base}/api/${path}?${new URLSearchParams(query)}`
    const response = await fetch(url, {
      method,
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`${method} ${url} answered ${response.status}, expected 2xx: ${text.slice(0, 500)}`)
    return text === "" ? undefined : JSON.parse(text)
  }

  const variantIn = (variant) => (variant ? { variant: JSON.stringify(variant) } : {})

  return {
    version: () => call("GET", "server"),
    /** @returns {Promise<{ id: string, modules: ModuleEntry[] }>} */
    createPlan: (planName, variant, body) => call("POST", "plan", { query: { planName, ...variantIn(variant) }, body }),
    /** @returns {Promise<{ id: string }>} */
    startModule: (plan, { testModule, variant }) =>
      call("POST", "runner", { query: { test: testModule, plan, ...variantIn(variant) } }),
    /** What the module made known: its issuer, and addresses that a browser has to visit. */
    runner: (id) => call("GET", `runner/${id}`),
    visited: (id, url) => call("POST", `runner/browser/${id}/visit`, { query: { url } }),
    /** @returns {Promise<{ status: string, result?: string }>} */
    info: (id) => call("GET", `info/${id}`),
    /** @returns {Promise<LogEntry[]>} */
    log: (id) => call("GET", `log/${id}`),
    stop: (id) => call("DELETE", `runner/${id}`),
  }
}

/**
 * Waits until a module has one of the given states.
 *
 * @param {ReturnType<typeof suiteAt>} suite
 * @param {string} id
 * @param {{ states: readonly string[], seconds: number }} wanted
 */
export async function waitFor(suite, id, { states, seconds }) {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const info = await suite.info(id)
    if (states.includes(info.status) || Date.now() > end) return info
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
