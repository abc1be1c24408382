/** The id of an error in the log, as it comes back in the address of a page. */

/** The id, where the text has exactly the form of one: whoever writes a link could put any sentence there. */
export function readIncident(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9]{12}$/.test(text) ? text : undefined
}
