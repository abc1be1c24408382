/** How a secret may be written in the text of an error: as it is, in quotes, and as addresses and forms hold it. */

/** Shorter secrets stand in ordinary text. */
const shortest = 8
/** Characters that are spelled for addresses. Passwords are short, and tokens have no characters that are written in another way there. */
const mostInAddresses = 16_000

/**
 * What to look for where these secrets are to be found, each once and the longest first: one may be the beginning of another.
 * What has fewer characters than `atLeast` is not looked for.
 */
export function spellingsOf(secrets: readonly string[], atLeast: number = shortest): readonly string[] {
  let left = mostInAddresses
  const written = secrets
    .filter(({ length }) => length >= atLeast)
    .flatMap((secret) => {
      const isPlain = /^[\w.-]*$/.test(secret)
      if (isPlain || secret.length > left) return inQuotes(secret)
      left -= secret.length
      return decodedOf(secret).flatMap((text) => [...inQuotes(text), ...inAddresses(text)])
    })
  const found = [...new Set(written)].filter(({ length }) => length >= atLeast)
  return found.toSorted((one, other) => other.length - one.length)
}

/** As it is, and as JSON and SQL write it. */
function inQuotes(text: string): readonly string[] {
  const inJson = JSON.stringify(text).slice(1, -1)
  return [text, inJson, inJson.replaceAll("'", "\\'"), text.replaceAll("'", "''"), text.replaceAll("'", "\\'")]
}

/** Itself, and what it says where it was taken from an address. */
function decodedOf(secret: string): readonly string[] {
  if (!secret.includes("%")) return [secret]
  try {
    return [secret, decodeURIComponent(secret)]
  } catch {
    // It has a percent sign of its own.
    return [secret]
  }
}

/** RFC 3986 §2.1: libraries differ in what they encode, and in the case of the digits. */
function inAddresses(text: string): readonly string[] {
  const address = new URL("https://app.invalid")
  address.password = text
  const inForm = new URLSearchParams({ "": text }).toString().slice(1)
  // `encodeURIComponent` leaves these marks as they are, and throws for half a character.
  const inQuery = inForm.replaceAll("+", "%20").replaceAll(/%(?:21|27|28|29|7E)/g, decodeURIComponent)
  const written = [address.password, inForm, inQuery]
  return [...written, ...written.map((one) => one.replaceAll(/%../g, (digits) => digits.toLowerCase()))]
}
