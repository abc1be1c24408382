/** Parses a connection URL. It may contain a password, so errors show only its scheme. */
import { fileURLToPath } from "node:url"
import type { SqlDialect } from "./dialects/dialect.js"
import { dialectOfScheme } from "./dialects/select.js"

/** A URL has a scheme of at least two letters; one letter is a drive. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text)
}

/** How libpq, and others, write what a URL says: `host=db.test dbname=app`, `Server=db.test;Database=app`. */
const pairs =
  /(?:^|[\s;"'])(?:host|hostaddr|port|dbname|user|password|service|server|data source|database|uid|pwd)\s*=/i

/** What begins like this names a file, whatever else it holds. */
const isPath = /^(?:\.{0,2}[\\/]|[a-z]:[\\/])/i

/**
 * @returns the name of a file
 * @throws TypeError for what names a server in another way than by a URL, and would be a file with its password in the name
 */
export function checkedFilename(text: string): string {
  if (isPath.test(text) || (!pairs.test(text) && !text.includes("://"))) return text
  throw new TypeError(
    "sqlAdapter expected a URL or the name of a SQLite file, and received neither: keywords with values, or a URL in quotes or as a filename. Pass a URL that begins with its scheme, such as postgresql://USER:PASSWORD@HOST/DATABASE; for a file of that name write ./ in front.",
  )
}

function schemeOf(text: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined) return scheme
  checkedFilename(text)
  throw new TypeError("The database URL has no scheme; for a file write file:app.db.")
}

/** The dialect of a URL. */
export function dialectOfUrl(url: string | URL): SqlDialect {
  return dialectOfScheme(schemeOf(String(url)))
}

/** The file of a `file:`, `sqlite:` or `libsql:` URL: `file:app.db`, `file:///srv/app.db`, `sqlite::memory:`. */
export function filenameOf(url: string | URL): string {
  const text = String(url)
  const scheme = schemeOf(text)
  dialectOfScheme(scheme)
  const path = text.slice(scheme.length + 1)
  if (scheme === "libsql" && path.startsWith("//")) {
    throw new TypeError(
      "A libsql: URL names a file here. For a server, pass a Kysely instance with the dialect of @libsql/kysely-libsql.",
    )
  }
  if (/[?#]/.test(path)) throw new TypeError("The URL of a SQLite file takes no parameters.")
  if (path === "") throw new TypeError("The database URL names no file.")
  return path.startsWith("//") ? fileURLToPath(`file:${path}`) : decodeURI(path)
}

/** Whoever writes one of these wants the connection to be encrypted, in the way of another driver or client. */
const isAboutTls = (name: string): boolean => /ssl|tls|certificate|encrypt/i.test(name)

/** Plain text is what these ask for, or what they are content with. */
const isContent = (value: string): boolean =>
  /^(?:|0|false|no|none|null|off|disabled?|allow|prefer(?:red)?)$/i.test(value.trim())

/** What the driver reads of its own parameter: JSON, else the name of a profile. */
function readSsl(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null")
  } catch {
    return text
  }
}

/** "mysql2" knows `ssl` alone, and connects in plain text whatever others ask for. */
function refuseUnknownTls({ searchParams }: URL): void {
  if (new Set(searchParams.getAll("ssl")).size > 1)
    throw new TypeError(
      "The database URL says `ssl` in several ways, of which drivers take one or another. Write it once.",
    )
  if (readSsl(searchParams.get("ssl"))) return
  const unknown = [...searchParams].find(([name, value]) => name !== "ssl" && isAboutTls(name) && !isContent(value))
  if (unknown === undefined) return
  // cspell:ignore sslmode sslaccept
  throw new TypeError(
    'The database URL asks for TLS in a way that the driver "mysql2" does not know: it would connect in plain text. Write ?ssl={"rejectUnauthorized":true} in place of parameters such as ssl-mode, sslmode, sslaccept, tls and useSSL.',
  )
}

/** The URL of a server, as its driver reads it. */
export function serverUrl(url: string | URL): string {
  const text = String(url).replace(/^mariadb:/i, "mysql:")
  // The driver's own complaint would quote the URL.
  if (!URL.canParse(text)) {
    throw new TypeError("The database URL cannot be read. Write special characters of the password percent-encoded.")
  }
  if (/^mysql:/i.test(text)) refuseUnknownTls(new URL(text))
  return text
}
