/** Ory Hydra, under the path existing applications import it from. Its id is `hydra`. */
export { default, OryHydra, type OryHydraProfile } from "./hydra.js"
