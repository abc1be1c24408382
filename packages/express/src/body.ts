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
  // Parsers compare the type without its parameters (RFC 9110 §8.3.1): one that only names a form among them is none.
  const [type = ""] = (req.headers["content-type"] ?? "").split(";", 1)
  const mediaType = type.trim().toLowerCase()
  if (mediaType === "application/x-www-form-urlencoded") return { body: formText(parsed), dropHeaders: ofTheWire }
  // The multipart boundary of the original is lost.
  if (mediaType === "multipart/form-data")
    return { body: formData(parsed), dropHeaders: [...ofTheWire, "content-type"] }
  return { body: jsonOf(parsed), dropHeaders: ofTheWire }
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

/**
 * A stream whose cancellation does not end request and socket, because the refusal of a large body is still to be sent. What is
 * not read is dropped once the answer is there: it stands in front of the next request of the connection, which behind a proxy may
 * be another person's.
 */
function streamOf(req: ExpressRequest): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = req.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]()
  const leave = async (): Promise<void> => void (await chunks.return?.())
  req.res?.once("finish", () => void leave().then(() => req.resume()))
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: leave,
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

/** Each field repeats the names of all levels above it, so that what was parsed can become much longer than what was sent. */
const charactersAtMost = 256 * 1024
const levelsAtMost = 256

/** @throws UnreadableRequest when there is too much of it, it lies too deep, or lists lack members. */
function fieldsOf(parsed: unknown): [string, string][] {
  const fields: [string, string][] = []
  let characters = 0
  for (const field of fieldsIn(parsed, { levels: 0, bound: { left: charactersAtMost } })) {
    characters += field[0].length + field[1].length
    if (characters > charactersAtMost) throw refusal(413, "The fields of the form are too long.")
    fields.push(field)
  }
  return fields
}

/** Where a member stands, and how many more may be looked at: those that are no field, such as empty lists, count as well. */
interface Place {
  readonly name?: string | undefined
  readonly levels: number
  readonly bound: { left: number }
}

/**
 * Nested members get the names they had: `{ a: { b: "c" } }` is `a[b]=c`. A list repeats its name; one with a single
 * member can only have come from `a[]=c`, which is not the field `a`.
 */
function* fieldsIn(value: unknown, { name, levels, bound }: Place): Generator<[string, string]> {
  if (levels > levelsAtMost)
    throw refusal(400, `The fields of the form are nested more than ${levelsAtMost} levels deep.`)
  if (--bound.left < 0) throw refusal(413, "The form has too many members.")
  const below = { levels: levels + 1, bound }
  if (Array.isArray(value)) {
    assertWhole(value)
    const repeated = value.length === 1 && name !== undefined ? `${name}[]` : name
    for (const member of value) yield* fieldsIn(member, { ...below, name: repeated })
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value))
      yield* fieldsIn(member, { ...below, name: name === undefined ? key : `${name}[${key}]` })
  } else if (name !== undefined && value !== undefined && value !== null) yield [name, String(value)]
}

/** @throws UnreadableRequest when JSON cannot write it, there is too much of it, or a list in it lacks members. */
function jsonOf(parsed: unknown): string {
  let left = charactersAtMost
  try {
    // Asked for each value before its members are written; what a parser lets several members share, for each of them.
    return JSON.stringify(parsed, function (this: unknown, name, value: unknown) {
      left -= (typeof value === "string" ? value.length + 2 : 1) + (Array.isArray(this) ? 0 : name.length)
      if (left < 0) throw refusal(413, "The body is too large.")
      if (Array.isArray(value)) assertWhole(value)
      return value
    })
  } catch (error) {
    throw error instanceof UnreadableRequest ? error : new UnreadableRequest(error as Error)
  }
}

/** A name such as `a[4294967294]` makes a list of four thousand million members out of one, and each would be written. */
function assertWhole(list: readonly unknown[]): void {
  if (Object.keys(list).length < list.length) throw refusal(400, "A list in the body lacks members.")
}

function refusal(status: 400 | 413, message: string): UnreadableRequest {
  const error = new UnreadableRequest(message)
  error.status = status
  return error
}
