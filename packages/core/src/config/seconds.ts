/** Durations as developers write them: whole seconds within reason. */
import type { Report } from "./report.js"

/** Ten years: more is a number of milliseconds, such as the 2592000000 of thirty days, which would be 82 years. */
const most = 10 * 365 * 24 * 60 * 60

/** A duration in seconds, or its default when it is absent or absurd. */
export function readSeconds(
  { option, value, least, fallback }: { option: string; value: unknown; least: 0 | 1; fallback: number },
  report: Report,
): number {
  if (value === undefined || value === null) return fallback
  // Fractions come from arithmetic and mean no harm.
  if (typeof value === "number" && value >= least && value <= most) return Math.floor(value)
  const mend =
    typeof value === "string"
      ? "Write it as a number."
      : "It counts seconds, not milliseconds. Correct it, or leave it out for the default."
  report.mistake(option, { expected: `a number of seconds from ${least} to ${most}`, received: value, mend })
  return fallback
}
