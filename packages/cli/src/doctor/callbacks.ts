/** What callbacks of the application do with what clients send, as far as their text shows it. */
import { updateTakenWhole } from "../update-taken-whole.js"
import { type Check, found, pages } from "./finding.js"

const warning = found("warning", pages.callbacks)

/** Whoever is signed in may send any update: what is taken whole lets them write claims that the application goes by. */
export const updates: Check = ({ written }) => {
  const jwt: unknown = written?.callbacks?.jwt
  if (typeof jwt !== "function" || !updateTakenWhole.test(Function.prototype.toString.call(jwt))) return []
  return [
    warning(
      "update-taken-whole",
      "callbacks.jwt: expected single members of `session`, received all of what a client sends with an update.",
      "Whoever is signed in can write every claim of their own session, such as a role: check and take the members that may change.",
    ),
  ]
}
