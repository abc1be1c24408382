/** Session tokens. Where this package alone is installed, claims are added through `declare module "@latchkey/next/jwt"`. */
export * from "@latchkey/core/jwt"
