/** Stands for `next/headers`. */
import { current } from "./request.js"

export async function headers(): Promise<Headers> {
  if (current.headers === null) throw new Error("`headers` was called outside a request scope.")
  return current.headers
}

/** The cookies of the request, and those that were set since. */
export interface Jar {
  get(name: string): { readonly value: string } | undefined
  set(name: string, value: string, options?: object): void
  delete(name: string): void
}

export async function cookies(): Promise<Jar> {
  const set: Jar["set"] = (name, value, options) => {
    if (current.isRendering) throw new Error("Cookies can only be modified in a Server Action or Route Handler.")
    current.cookies.push({ name, value, options: { ...options } })
  }
  return {
    set,
    delete: (name) => set(name, "", { expires: new Date(0) }),
    get: (name) => current.cookies.findLast((one) => one.name === name) ?? sentOf(name),
  }
}

function sentOf(name: string): { readonly value: string } | undefined {
  const pairs = (current.headers?.get("cookie") ?? "").split("; ").map((pair) => pair.split(/=(.*)/s))
  const value = pairs.findLast(([one]) => one === name)?.[1]
  return value === undefined ? undefined : { value }
}
