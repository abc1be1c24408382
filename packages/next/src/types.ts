/**
 * The types of the service. Where this package alone is installed, an application adds members to `Session` and `User`
 * through `declare module "@latchkey/next/types"`.
 */
export * from "@latchkey/core/types"
