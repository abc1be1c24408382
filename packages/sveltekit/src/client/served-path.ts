/** Where a page finds the service. */
import { basePathOf } from "../base-path.js"

/** The document as far as it is asked. */
interface Page {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null
}

/** The base path: what the hook wrote into the head of the page, else the default below the application. */
export function servedPath(kitBase: string, page: Page | undefined = documentOf(globalThis)): string {
  const announced = page?.querySelector('head > meta[name="auth-base-path"]')?.getAttribute("content")
  return announced !== undefined && announced !== null && isPath(announced) ? announced : basePathOf(kitBase)
}

/** Passwords are sent there: content injected into the page must not name another host. */
function isPath(text: string): boolean {
  return text === "" || /^\/(?![/\\])[^\\\s]*$/.test(text)
}

function documentOf({ document }: { readonly document?: Page }): Page | undefined {
  return document
}
