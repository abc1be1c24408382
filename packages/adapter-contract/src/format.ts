/** A report as Markdown, to be read in a terminal or pasted into a README. */
import type { ContractOutcome, ContractReport } from "./run.js"

const statuses = ["passed", "failed", "not offered", "excused", "stale excuse"] as const

/** Text inside a table cell or a list item. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`
}

function reasonOf({ error, excuse, missing }: ContractOutcome): string {
  if (missing) return `needs ${missing.join(", ")}`
  const message = error instanceof Error ? error.message : error === undefined ? "" : String(error)
  const parts = [excuse?.reason, excuse?.evidence, message].filter((part) => part !== undefined && part !== "")
  return parts.join("; ")
}

function list(title: string, outcomes: readonly ContractOutcome[]): string[] {
  if (outcomes.length === 0) return []
  return ["", `${title}:`, "", ...outcomes.map((outcome) => `- ${cell(outcome.name)}: ${cell(reasonOf(outcome))}`)]
}

/** One line for each group, then every case that did not simply pass. */
export function formatContract(report: ContractReport): string {
  const { outcomes, unknownExcuses, crash } = report
  const shown = statuses.filter(
    (status) => status === "passed" || status === "failed" || outcomes.some((outcome) => outcome.status === status),
  )
  const count = (group: string | undefined, status: string): number =>
    outcomes.filter((outcome) => (group === undefined || outcome.group === group) && outcome.status === status).length
  const groups = [...new Set(outcomes.map(({ group }) => group))]
  const of = (status: ContractOutcome["status"]) => outcomes.filter((outcome) => outcome.status === status)
  return [
    row(["Contract", ...shown]),
    row(["---", ...shown.map(() => "---:")]),
    ...groups.map((group) => row([group, ...shown.map((status) => count(group, status))])),
    row(["**all**", ...shown.map((status) => `**${count(undefined, status)}**`)]),
    ...(crash === undefined ? [] : ["", crash]),
    ...list("Failed", of("failed")),
    ...list("Excused although it passes", of("stale excuse")),
    ...list("Excused", of("excused")),
    ...list("Not offered", of("not offered")),
    ...(unknownExcuses.length > 0
      ? ["", "Excuses for no case:", "", ...unknownExcuses.map((it) => `- ${it.case}`)]
      : []),
    "",
  ].join("\n")
}
