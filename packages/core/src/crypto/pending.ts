/** Values that may still be to come: gone on with at once where they are there, so that the native way makes no promise. */
import type { Awaitable } from "../types/identity.js"

/** Says whether a value is still to come. */
export function isPending<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"
}

/** Hands the value on, now or when it comes. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPending(value) ? value.then(next) : next(value)
}
