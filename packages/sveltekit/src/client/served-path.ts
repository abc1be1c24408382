/** Where a page finds the service. */
import { basePathOf } from "../base-path.js"

/** The document as far as it is asked. */
interface Page {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null
}

/** The base path: what the hook wrote into the head of the page, else the default below the application. */
export function servedPath(kitBase: string, page: Page | undefined = documentOf(globalThis)): string {
  const announced = page?.querySelector('meta[name="auth-base-path"]')?.getAttribute("content")
  return announced ?? basePathOf(kitBase)
}

function documentOf({ document }: { readonly document?: Page }): Page | undefined {
  return document
}
