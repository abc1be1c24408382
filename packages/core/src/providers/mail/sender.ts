/** Who a mail comes from when nobody said so. */

/** The given sender, else an address of the application's own host. */
export function senderOf(from: string | undefined, url: string): string {
  return from ?? `no-reply@${new URL(url).hostname}`
}
