/**
 * Certificates of attestations, before a library follows what they say: it fetches the lists of revoked certificates that
 * they name, and whoever registers writes them.
 */

/** Where the makers of authenticators publish such lists: below these paths, with either scheme. */
const listed: readonly string[] = ["//android.googleapis.com/attestation/", "//www.microsoft.com/pkiops/"]

/**
 * @throws Error unless each certificate of the statement is DER and names lists of revoked certificates at known hosts alone.
 */
export function expectKnownLists(format: unknown, statement: ReadonlyMap<unknown, unknown>): void {
  // Its certificates are inside of a token, and Google has switched it off.
  if (format === "android-safetynet") throw new Error("Attestations of SafetyNet are not read any more.")
  const certificates: unknown = statement.get("x5c") ?? []
  if (!Array.isArray(certificates)) throw new Error("The certificates of the attestation are not a list.")
  for (const certificate of certificates) {
    if (!(certificate instanceof Uint8Array)) throw new Error("A certificate of the attestation is not bytes.")
    for (const address of listsIn(certificate)) {
      if (!isKnown(address)) throw new Error("A certificate names a list of revoked certificates at an unknown host.")
    }
  }
}

function isKnown(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, pathname } = new URL(address)
  const isWeb = protocol === "https:" || protocol === "http:"
  return isWeb && listed.some((place) => `//${host}${pathname}`.startsWith(place))
}

/** A value that holds no others (X.690 §8.1): its identifier, and its bytes. */
interface Primitive {
  readonly tag: number
  readonly bytes: Uint8Array
}

const objectIdentifier = 0x06
const octetString = 0x04
/** `uniformResourceIdentifier` of a general name (RFC 5280 §4.2.1.6). */
const uri = 0x86

/** The addresses in extensions of the kind `cRLDistributionPoints` (RFC 5280 §4.2.1.13). */
function listsIn(certificate: Uint8Array): readonly string[] {
  const values = primitivesIn(certificate)
  return values.flatMap(({ tag, bytes }, index) => {
    if (tag !== objectIdentifier || !isDistributionPoints(bytes)) return []
    const content = values.slice(index + 1, index + 3).find((value) => value.tag === octetString)
    if (!content) throw notDer()
    return primitivesIn(content.bytes).flatMap((value) =>
      value.tag === uri ? [String.fromCharCode(...value.bytes)] : [],
    )
  })
}

/** 2.5.29.31. Another spelling of the same number is not DER, and a library may read it. */
function isDistributionPoints(identifier: Uint8Array): boolean {
  if (identifier.some((byte, index) => byte === 0x80 && ((identifier[index - 1] ?? 0) & 0x80) === 0)) throw notDer()
  return identifier.length === 3 && identifier[0] === 0x55 && identifier[1] === 0x1d && identifier[2] === 0x1f
}

/** What is in the value, in order. Any other spelling than DER is refused: a library may read more of it than is seen here. */
function primitivesIn(bytes: Uint8Array): readonly Primitive[] {
  const found: Primitive[] = []
  const open: Uint8Array[] = [bytes]
  for (let rest = open.pop(); rest; rest = open.pop()) {
    if (rest.length === 0) continue
    const { tag, start, end } = headOf(rest)
    open.push(rest.subarray(end))
    const isConstructed = (tag & 0x20) !== 0
    if (isConstructed) open.push(rest.subarray(start, end))
    else found.push({ tag, bytes: rest.subarray(start, end) })
  }
  return found
}

function headOf(bytes: Uint8Array): { readonly tag: number; readonly start: number; readonly end: number } {
  const [tag = 0, first = 0] = bytes
  const isLongTag = (tag & 0x1f) === 0x1f
  // Of what the standard itself defines, sequences and sets alone are made of others; and an address is one piece.
  const isInPieces = ((tag & 0xe0) === 0x20 && tag !== 0x30 && tag !== 0x31) || tag === (uri | 0x20)
  const digits = first > 0x80 ? first - 0x80 : 0
  const start = 2 + digits
  const length = digits === 0 ? first : bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0)
  const isShort = digits === 0 ? first < 0x80 : digits <= 3 && length >= 0x80 && bytes[2] !== 0
  if (isLongTag || isInPieces || !isShort || start + length > bytes.length) throw notDer()
  return { tag, start, end: start + length }
}

function notDer(): Error {
  return new Error("A certificate of the attestation is not in DER form.")
}
