/** Whether the claims of Microsoft say that an address is proven. */

/** The tenant that holds all personal accounts, and no others. */
export const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

/** Under a shared issuer anybody can run a tenant and write any address into it. In one's own tenant only its administrators can. */
export function isProvenAddress(claims: Readonly<Record<string, unknown>>, isShared: boolean): boolean | "unstated" {
  const { email, tid, xms_edov, verified_primary_email, verified_secondary_email } = claims
  if (xms_edov !== undefined) return ([true, 1, "1", "true"] as unknown[]).includes(xms_edov)
  const vouched = [verified_primary_email, verified_secondary_email].flatMap((list: unknown) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  const isSame = (address: unknown): boolean => `${address}`.toLowerCase() === `${email}`.toLowerCase()
  if (typeof email === "string" && vouched.some(isSame)) return true
  return isShared && tid !== personalTenant ? false : "unstated"
}
