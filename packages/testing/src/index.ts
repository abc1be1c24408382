/** The test world: what a test of an application that uses Latchkey needs. */
import "./refuse-production.js"

export { type Clock, createClock } from "./clock.js"
export { type SignInAsOptions, signInAs } from "./sign-in-as.js"
export type { BrowserCookie, SignedIn } from "./signed-in.js"
