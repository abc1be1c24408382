/** Stands for `next/headers`. */
import { current } from "./request.js"

export async function headers(): Promise<Headers> {
  if (current.headers === null) throw new Error("`headers` was called outside a request scope.")
  return current.headers
}

export async function cookies(): Promise<{ set(name: string, value: string, options: object): void }> {
  return {
    set: (name, value, options) => {
      if (current.isRendering) throw new Error("Cookies can only be modified in a Server Action or Route Handler.")
      current.cookies.push({ name, value, options: { ...options } })
    },
  }
}
