/** The pages of a provider that is used by hand. */
import type { Person } from "./people.js"

/** What a provider that is used by hand shows, as HTML documents. Values of the views are not escaped. */
export interface ProviderPages {
  /**
   * Asks who signs in. A form of the page posts `person` to the page's own address, a `sub` or "cancel"; or `email`, for
   * somebody whom the provider does not know yet.
   * @param view `host` of the application, and `people` whom the provider knows.
   */
  choose(view: { readonly host: string; readonly people: readonly Person[] }): string
  /** Says why a sign-in cannot go on. */
  notice(view: { readonly title: string; readonly text: string }): string
  /** Headers of every answer, such as a content security policy. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** What the pages refer to, by path: style sheets, pictures. @default none */
  readonly files?: Readonly<Record<string, ProviderFile>>
}

/** A file of a provider. */
export interface ProviderFile {
  /** Media type. */
  readonly type: string
  /** Its content. */
  readonly body: string | Uint8Array
}

/** Plain pages. */
export const plainPages: ProviderPages = {
  choose: ({ host, people }) => {
    const buttons = people.map(({ sub, name, email }) => {
      const label = `<strong>${escaped(name ?? sub)}</strong>${email === undefined ? "" : ` ${escaped(email)}`}`
      return `<button name="person" value="${escaped(sub)}">${label}</button>`
    })
    return documentOf(
      "Choose who signs in",
      `<p>to go on to <strong>${escaped(host)}</strong>. This provider is for development: it asks for no password.</p>
<form method="post">
${buttons.join("\n")}
</form>
<form method="post">
<label>Somebody else <input name="email" type="email" required placeholder="name@example.com"></label>
<button>Sign in as this address</button>
</form>
<form method="post"><button name="person" value="cancel">Cancel</button></form>`,
    )
  },
  notice: ({ title, text }) => documentOf(title, `<p>${escaped(text)}</p>`),
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const documentOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 22rem; margin: 4rem auto; padding: 0 1rem }
form { display: grid; gap: .75rem; margin-block: 1rem }
button, input { font: inherit; padding: .6rem .8rem; text-align: start }
label { display: grid; gap: .25rem }
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>`
