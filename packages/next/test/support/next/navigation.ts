/** Stands for `next/navigation`. */
import { Redirected } from "./request.js"

export function redirect(url: string): never {
  throw new Redirected(url)
}
