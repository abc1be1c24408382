/** A diagnosis as lines for people. */
import { type Paint, wrapped } from "../style.js"
import type { Diagnosis } from "./diagnosis.js"
import { addressOf, type Finding } from "./finding.js"

function line({ level, message, remedy, page }: Finding, paint: Paint): string {
  const mark = level === "error" ? paint("bad", "✗") : paint("caution", "!")
  const rest = remedy === "" ? "" : `\n    ${wrapped(remedy, 4)}`
  return `  ${mark} ${wrapped(message, 4)}${rest}\n    ${paint("quiet", addressOf(page))}`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`
}

/** The whole report. */
export function report(
  { basePath, callbacks, findings, notes, providers, strategy }: Diagnosis,
  about: string,
  paint: Paint,
): string {
  const names = providers.map(({ id, type }) => (id === type ? id : `${id} (${type})`)).join(", ") || "none"
  const errors = findings.filter(({ level }) => level === "error")
  const warnings = findings.filter(({ level }) => level === "warning")
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ["", paint("strong", title), ...lines]
  const verdict =
    errors.length === 0
      ? paint("good", warnings.length === 0 ? "No problems found." : `No errors, ${count(warnings.length, "warning")}.`)
      : paint("bad", `${count(errors.length, "error")}, ${count(warnings.length, "warning")}.`)
  return [
    about,
    `Sessions: ${strategy}. Base path: ${basePath}. Providers: ${names}.`,
    ...section(
      "Errors",
      errors.map((finding) => line(finding, paint)),
    ),
    ...section(
      "Warnings",
      warnings.map((finding) => line(finding, paint)),
    ),
    ...section(
      "Callback addresses to register",
      callbacks.map(({ provider, url }) => `  ${provider}: ${url}`),
    ),
    ...section(
      "Notes",
      notes.map((note) => `  - ${wrapped(note, 4)}`),
    ),
    "",
    verdict,
    "",
  ].join("\n")
}
