/** The test world: what a test of an application that uses Latchkey needs. */
import "./refuse-production.js"

export { type Clock, createClock } from "./clock.js"
export { createMailbox, type Mail, type Mailbox, type MailboxOptions, type MailWait } from "./mailbox.js"
export type { AnswerJson, HeldCredential, Misbehaviour, OptionsJson } from "./passkey/answers.js"
export {
  authenticatorFlags,
  type SoftwarePasskey,
  type SoftwarePasskeyOptions,
  softwarePasskey,
} from "./passkey/authenticator.js"
export type { ClientAuthentication, ProviderCall } from "./provider/call.js"
export type { FaultOptions, FaultPlace, Faults, Outage, TokenFault } from "./provider/faults.js"
export type { ProviderFile, ProviderPages } from "./provider/pages.js"
export { type KnownPerson, type Person, people } from "./provider/people.js"
export { createProvider, type ProviderOptions, type TestProvider } from "./provider/provider.js"
export type { PostedForm } from "./provider/walk.js"
export { type SignInAsOptions, signInAs } from "./sign-in-as.js"
export type { BrowserCookie, SignedIn } from "./signed-in.js"
export { createWorld, type World, type WorldOptions } from "./world.js"
