/** Without a hook there is nobody to ask. */
export async function load({ locals }) {
  const session = await locals.auth?.()
  return { email: session?.user.email ?? "nobody" }
}
