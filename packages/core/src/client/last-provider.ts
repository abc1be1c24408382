/** Which way this browser chose last: a cookie of the sign-in page that holds the id of the provider and nothing else. */

/** Its name. The server reads it, to mark that way. */
export const lastProviderCookie = "latchkey.last-provider"

const year = 365 * 24 * 60 * 60

/** Keeps the id for a year. */
export function keepLastProvider(id: string): void {
  const secure = location.protocol === "https:" ? ";Secure" : ""
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that the page serves
  document.cookie = `${lastProviderCookie}=${encodeURIComponent(id)};Path=/;Max-Age=${year};SameSite=Lax${secure}`
}
