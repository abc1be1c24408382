/** Session tokens. Where this package alone is installed, claims are added through `declare module "@latchkey/hono/jwt"`. */
export * from "@latchkey/core/jwt"
