/** The row of the route table that serves a request. */
import { asRow } from "../actions/feature-row.js"
import { type Row, table } from "../actions/table.js"
import type { Settings } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { InvalidProvider, UnknownAction } from "../errors.js"
import { allowedBy, methodRefused } from "../http/endpoints.js"
import { quoted } from "../std/text.js"

/**
 * The row for the request's method, action and kind of provider.
 * @throws UnknownAction, InvalidProvider, or the problem of the provider that is named, where there is none
 */
export function findRow({ incoming, provider, settings }: Pick<Context, "incoming" | "provider" | "settings">): Row {
  const { route, method } = incoming
  if (!route) throw new UnknownAction("There is no such action.")
  // What is wrong with one provider refuses what names it, and nothing else.
  if (route.provider !== undefined) {
    const [fault] = settings.providerProblems.get(route.provider) ?? []
    if (fault) throw fault
  }
  if (route.provider !== undefined && !provider) {
    const known = [...settings.providers.keys()].join(", ") || "none"
    throw new InvalidProvider(`There is no provider ${quoted(route.provider)}. Configured: ${known}.`)
  }
  const ofAction = rowsOf(route.action, settings)
  const kind = provider?.type ?? "none"
  const row = ofAction.find((candidate) => candidate.method === method && candidate.kinds.includes(kind))
  if (row) return row
  const ofKind = ofAction.filter(({ kinds }) => kinds.includes(kind))
  throw refusal(ofAction, ofKind)
}

const rowsByAction: ReadonlyMap<string, readonly Row[]> = new Map(
  table.map(({ action }) => [action, table.filter((row) => row.action === action)]),
)

/** The rows of an action: those of the table, else what features bring. */
function rowsOf(action: string, { features }: Settings): readonly Row[] {
  return rowsByAction.get(action) ?? features.rows.filter((row) => row.action === action).map(asRow)
}

function refusal(ofAction: readonly Row[], ofKind: readonly Row[]): Error {
  if (ofKind.length === 0)
    return new InvalidProvider(`Action ${ofAction[0]?.action} does not support this kind of provider.`)
  const allow = allowedBy(ofKind)
  return methodRefused(`Action ${ofKind[0]?.action} supports only ${allow.join(", ")}.`, allow)
}
