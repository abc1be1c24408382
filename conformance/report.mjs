/** The page about a run: what the suite said of every module, and what the application did in it. */
import { expected, isServed, unserved } from "./plans.mjs"

/** @typedef {{ module: string, verdict: string, said: readonly string[], remarks: readonly { src: string, msg: string, result?: string }[] }} ModuleResult */
/** @typedef {{ plan: import("./plans.mjs").Plan, results: readonly ModuleResult[] }} PlanResult */

/**
 * @param {{ tag?: string, version?: string, revision?: string }} suite
 * @param {readonly PlanResult[]} ran
 */
export function render(suite, ran) {
  const results = ran.flatMap(({ plan, results: all }) => all.filter((result) => isServed(plan, result)))
  const passed = results.filter(({ verdict }) => verdict === "PASSED").length
  return [
    "# The OpenID Foundation's conformance suite",
    "",
    "<!-- Written by `npm run conformance -- --write`; do not edit. -->",
    "<!-- cspell:disable -->",
    "",
    `Version ${suite.version} (revision ${suite.revision}) of the suite ran its relying party plans against this library, in Chromium.`,
    `Of the ${results.length} modules for what the library offers, ${passed} passed and ${results.length - passed} ended with another verdict, explained below.`,
    "This is a run of the suite on a machine of our own, not a certification. [conformance/README.md](../../conformance/README.md)",
    "says how to repeat it, and how the suite was set up for this one.",
    ...ran.flatMap(planPart),
    "",
  ].join("\n")
}

/** @param {PlanResult} ran */
function planPart({ plan, results }) {
  const why = unserved[plan.name] ?? plan.note
  return [
    "",
    `## ${plan.title}`,
    "",
    `Plan \`${plan.name}\`${why ? `. ${why}` : "."}`,
    "",
    "| module | verdict | what the application did |",
    "| --- | --- | --- |",
    ...results.map(({ module, verdict, said }) => `| ${module} | ${verdict} | ${cell(said.join("; ")) || "nothing"} |`),
    ...remarksPart(results),
    ...reasonsPart(results),
  ]
}

/** The warnings and failures in the logs of the modules. */
function remarksPart(results) {
  const remarks = results.flatMap(({ module, remarks: of }) => of.map((remark) => ({ module, ...remark })))
  if (remarks.length === 0) return ["", "The logs hold no warning and no failure."]
  return [
    "",
    "Warnings and failures in the logs:",
    "",
    ...remarks.map(({ module, result, src, msg }) => `- ${module}: ${result} of \`${src}\`: ${cell(msg)}`),
  ]
}

/** Why another verdict than `PASSED` is the right one, and what the library does not offer. */
function reasonsPart(results) {
  const reasons = results.flatMap(({ module, verdict }) => {
    const why = expected[module]?.verdict === verdict ? expected[module].why : unserved[module]
    return why ? [`- ${module}: ${why}`] : []
  })
  return reasons.length === 0 ? [] : ["", ...reasons]
}

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|").replace(/\s+/g, " ").slice(0, 300)
