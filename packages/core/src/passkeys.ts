/** The door of passkeys: listing, naming and removing them. */
export { type PasskeyName, type Passkeys, type PasskeyToRemove, passkeys } from "./engine/passkeys.js"
export type { Feature } from "./types/feature.js"
export type { PasskeyEntry, PasskeyRemoval, PasskeySignal, PasskeysOptions } from "./types/passkeys.js"
export type { Policy } from "./types/session-facts.js"
