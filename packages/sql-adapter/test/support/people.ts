/** The person whom tests sign in, with an account, a passkey and a session. */

export const ada = { id: "1", email: "ada@example.test", emailVerified: null }

export const account = { provider: "example", providerAccountId: "1", type: "oauth" as const }

export const expires = new Date("2037-01-02T03:04:05.678Z")

export const passkey = {
  credentialID: "c",
  userId: ada.id,
  providerAccountId: "c",
  credentialPublicKey: "k",
  counter: 0,
  credentialDeviceType: "singleDevice" as const,
  credentialBackedUp: false,
}
