/** The public types, under the names applications import. `export *` keeps them open for augmentation. */
export type { AuthAction } from "./http/endpoints.js"
export * from "./types/appearance.js"
export * from "./types/config.js"
export * from "./types/credential.js"
export * from "./types/hooks.js"
export * from "./types/identity.js"
export * from "./types/provider.js"
export * from "./types/session.js"
