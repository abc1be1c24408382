/** Writes the base path into pages, when it is not the default. */
import type { ResolveOptions } from "@sveltejs/kit"

/** The name under which a page finds the base path. */
export const announcement = "auth-base-path"

/** Options of `resolve` that put the base path into the head of pages, for the functions of `./client`. */
export function announceBasePath(basePath: string): ResolveOptions {
  const content = basePath.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  const tag = `<meta name="${announcement}" content="${content}">`
  return { transformPageChunk: ({ html }) => html.replace("</head>", () => `${tag}</head>`) }
}
