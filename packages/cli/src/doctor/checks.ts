/** The checks that need the configuration and its surroundings alone: no store, no network and no callback. */
import { updates } from "./callbacks.js"
import { clients, unread } from "./credentials.js"
import { cookies, host, loops, preview, proxy } from "./deployment.js"
import type { Check } from "./finding.js"
import { lifetimes } from "./lifetimes.js"
import { packages } from "./packages.js"
import { operations } from "./resolved.js"
import { exposed, ignored, mangled, strength } from "./secrets.js"

/** All of them, in the order of the report. What the core finds itself is not among them. */
export const checks: readonly Check[] = [
  clients,
  unread,
  host,
  proxy,
  preview,
  loops,
  cookies,
  strength,
  exposed,
  ignored,
  mangled,
  lifetimes,
  updates,
  packages,
  operations,
]
