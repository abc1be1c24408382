/** Stands for `next/headers`. */
import { current } from "./request.js"

export async function headers(): Promise<Headers> {
  return current.headers
}

export async function cookies(): Promise<{ set(name: string, value: string, options: object): void }> {
  return { set: (name, value, options) => void current.cookies.push({ name, value, options: { ...options } }) }
}
