/** The body of a request: as a stream, or rebuilt from what a body parser has parsed. Size limits are the service's. */
import { UnreadableRequest } from "@latchkey/core/errors"
import type { Request as ExpressRequest } from "express"

/** A body for a web request, and the headers that no longer describe it. */
export interface Body {
  readonly body: BodyInit | undefined
  readonly dropHeaders: readonly string[]
}

/** Body parsers remove transfer encodings and compression. */
const ofTheWire = ["content-length", "content-encoding", "transfer-encoding"] as const

/**
 * Checked for every request, so that a wrong order of handlers is noticed at once.
 * @throws UnreadableRequest when something else has read a body and left nothing of it.
 */
export function assertBodyIsThere(req: ExpressRequest): void {
  if (isConsumed(req) && isMissing(req.body)) nothingOf(req)
}

/**
 * A stream that a parser has consumed is replaced by the parsed body. Throws
 * {@link UnreadableRequest} when something else has read a body and left nothing of it.
 */
export function bodyOf(req: ExpressRequest): Body {
  if (!isConsumed(req)) return { body: streamOf(req), dropHeaders: [] }
  const parsed: unknown = req.body
  if (isMissing(parsed)) return nothingOf(req)
  if (typeof parsed === "string") return { body: parsed, dropHeaders: ofTheWire }
  if (parsed instanceof Uint8Array) return { body: Uint8Array.from(parsed), dropHeaders: ofTheWire }
  const type = (req.headers["content-type"] ?? "").toLowerCase()
  if (type.includes("application/x-www-form-urlencoded")) return { body: formText(parsed), dropHeaders: ofTheWire }
  // The multipart boundary of the original is lost.
  if (type.includes("multipart/form-data"))
    return { body: formData(parsed), dropHeaders: [...ofTheWire, "content-type"] }
  return { body: JSON.stringify(parsed), dropHeaders: ofTheWire }
}

/** An empty body would be refused as well, but with a misleading reason. */
function nothingOf({ headers }: ExpressRequest): Body {
  const hadBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0
  if (!hadBody) return { body: undefined, dropHeaders: ofTheWire }
  throw new UnreadableRequest(
    "The body has been read already and is not in req.body: mount the handler before the middleware that reads it, or a body parser before both.",
  )
}

function isMissing(parsed: unknown): parsed is undefined | null {
  return parsed === undefined || parsed === null
}

function isConsumed(req: ExpressRequest): boolean {
  return req.readableDidRead || req.readableEnded || req.destroyed
}

/** A stream whose cancellation does not end request and socket, because the refusal of a large body is still to be sent. */
function streamOf(req: ExpressRequest): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = req.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

function formText(parsed: unknown): string {
  return new URLSearchParams(fieldsOf(parsed)).toString()
}

function formData(parsed: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of fieldsOf(parsed)) form.append(name, value)
  return form
}

/**
 * Nested members get the names they had: `{ a: { b: "c" } }` is `a[b]=c`. A list repeats its name; one with a single
 * member can only have come from `a[]=c`, which is not the field `a`.
 */
function fieldsOf(value: unknown, name?: string): [string, string][] {
  if (Array.isArray(value)) {
    const repeated = value.length === 1 && name !== undefined ? `${name}[]` : name
    return value.flatMap((member) => fieldsOf(member, repeated))
  }
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, member]) =>
      fieldsOf(member, name === undefined ? key : `${name}[${key}]`),
    )
  return name === undefined || value === undefined || value === null ? [] : [[name, String(value)]]
}
