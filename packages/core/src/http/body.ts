/** The body of a request as a flat record: read with a limit, by its declared type, and never trusted further than that. */

import { UnreadableRequest } from "../errors.js"
import { drain, fromUtf8, readStream } from "../std/bytes.js"
import { isMembers } from "../std/json.js"
import { assertBounded, asUnreadable, deepest, emptyForm, type Form, fieldsOf, objectsIn, refusal } from "./fields.js"

/** Bytes a body may have. */
export const bodyLimit: number = 256 * 1024
/**
 * What is read of a refused body and dropped. Clients that write all of it before they read an answer get the answer then,
 * where a server would cut the connection at a body that is cancelled or left.
 */
const patience = { bytes: 16 * bodyLimit, milliseconds: 3000 } as const
/** What the body of a request holds, or what is wrong with it. */
export type ReadBody = { readonly form: Form } | { readonly problem: UnreadableRequest }

/** Reads the body of a POST; never rejects. `toRequest` gives the request whose body is unread. */
export async function readBody(toRequest: () => Request): Promise<ReadBody> {
  try {
    return { form: await readForm(toRequest()) }
  } catch (error) {
    return { problem: asUnreadable(error) }
  }
}

/** Reads the body of a POST. @throws UnreadableRequest: 400 malformed, 413 too large, 415 of a type that is not read. */
export async function readForm(request: Request): Promise<Form> {
  const { headers } = request
  const declared = headers.get("content-type")
  if (!declared) return emptyForm()
  assertNotEncoded(headers.get("content-encoding"))
  const type = parseContentType(declared)
  const read = type && isUtf8(type.charset) ? readers[type.essence] : undefined
  if (!read) {
    // An empty body has no type that could be wrong.
    if (await isEmpty(request)) return emptyForm()
    throw refusal(415, "The content type of the body is not supported: send a form or JSON, in UTF-8.")
  }
  return read(await readLimited(request, bodyLimit), declared)
}

type Reader = (body: Uint8Array<ArrayBuffer>, contentType: string) => Form | Promise<Form>

const readers: Readonly<Record<string, Reader>> = Object.assign(Object.create(null), {
  "application/json": readJson,
  "application/x-www-form-urlencoded": readUrlEncoded,
  "multipart/form-data": readMultipart,
})

function readJson(body: Uint8Array<ArrayBuffer>): Form {
  const value = parseJson(body)
  if (!isMembers(value)) throw refusal(400, "The JSON has to be an object.")
  return fieldsOf(Object.entries(value))
}

function parseJson(body: Uint8Array<ArrayBuffer>): unknown {
  try {
    // A byte order mark is kept, so that it is refused: RFC 8259 §8.1 forbids it.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
    const value: unknown = JSON.parse(text)
    if (text.length > 2 * deepest) assertBounded(value, true)
    // Copied carelessly by an application, a nested `__proto__` would change a prototype; it may be spelled with escapes.
    return text.includes("__proto__") || text.includes("\\u") ? withoutPrototypes(value) : value
  } catch {
    throw refusal(400, "The JSON cannot be parsed.")
  }
}

/** The value without members of that name. A reviver of `JSON.parse` is asked for each member, and costs ten times as much. */
function withoutPrototypes(value: unknown): unknown {
  const pending = objectsIn([value])
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Object.hasOwn(next, "__proto__")) Reflect.deleteProperty(next, "__proto__")
    for (const member of objectsIn(Object.values(next))) pending.push(member)
  }
  return value
}

function readUrlEncoded(body: Uint8Array<ArrayBuffer>): Form {
  return fieldsOf(new URLSearchParams(fromUtf8(body)))
}

async function readMultipart(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<Form> {
  const fields: [string, string][] = []
  for (const [name, value] of await parseMultipart(body, contentType)) {
    if (typeof value === "string") fields.push([name, value])
    // What a browser sends for a file field that was left empty.
    else if (value.size > 0 || value.name !== "")
      throw refusal(415, "The form contains a file: only text fields are supported.")
  }
  return fieldsOf(fields)
}

async function parseMultipart(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { "content-type": contentType } }).formData()
  } catch {
    throw refusal(400, "The multipart form cannot be parsed.")
  }
}

interface ContentType {
  readonly essence: string
  readonly charset: string | undefined
}

/** RFC 9110 §8.3.1. Two headers joined into one are no content type. */
function parseContentType(header: string): ContentType | undefined {
  const match = /^[ \t]*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)[ \t]*(?:;(.*))?$/.exec(header)
  if (!match?.[1]) return undefined
  const essence = match[1].toLowerCase()
  const parameters = match[2] ?? ""
  if (essence !== "multipart/form-data" && parameters.includes(",")) return undefined
  return { essence, charset: /(?:^|;)[ \t]*charset=[ \t]*"?([^";\s]*)/i.exec(parameters)?.[1]?.toLowerCase() }
}

function isUtf8(charset: string | undefined): boolean {
  return charset === undefined || charset === "utf-8" || charset === "utf8"
}

function assertNotEncoded(encoding: string | null): void {
  if (encoding === null || encoding === "" || encoding.trim().toLowerCase() === "identity") return
  throw refusal(415, "The body is compressed, which is not supported: send it uncompressed.")
}

async function isEmpty(request: Request): Promise<boolean> {
  try {
    return (await readLimited(request, 0)).length === 0
  } catch (error) {
    if (error instanceof UnreadableRequest && error.status === 413) return false
    throw error
  }
}

/**
 * Reads the stream up to a limit. The declared length may refuse early; it is not proof that the body is small. The rest of
 * a body that is larger is dropped as far as there is patience, and never cancelled.
 */
async function readLimited(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (request.bodyUsed) throw refusal(400, "The body has been read already: pass a request whose body is unread.")
  if (Number(request.headers.get("content-length")) > limit) throw tooLarge(limit)
  if (!request.body) return new Uint8Array()
  try {
    return await readStream(request.body, limit, { tooLarge: () => tooLarge(limit), leavesRest: true })
  } catch (error) {
    if (!(error instanceof UnreadableRequest)) throw refusal(400, "The body is incomplete.")
    await drain(request.body, patience)
    throw error
  }
}

function tooLarge(limit: number): UnreadableRequest {
  return refusal(413, `The body is larger than ${limit} bytes.`)
}
