/**
 * Runs the relying party plans of the OpenID Foundation's conformance suite against this library, in a browser:
 *
 *     npm run conformance -- --suite https://localhost:8443 [--plan <part of a name or title>] [--module <name>] [--write]
 *
 * `--write` writes docs/security/conformance.md. Ends with 1 when a verdict is not the expected one.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { behaviourIn, expected, isServed, plans, registrationIn } from "./plans.mjs"
import { register } from "./register.mjs"
import { openRelyingParty } from "./relying-party.mjs"
import { render } from "./report.mjs"
import { makeSigningKey } from "./signing-key.mjs"
import { suiteAt, waitFor } from "./suite.mjs"
import { openVisitors } from "./visitor.mjs"

const alias = "latchkey"
const client = { client_id: "latchkey-client", client_secret: "conformance-secret-of-43-characters-or-more" }

const { values } = parseArgs({
  options: {
    suite: { type: "string" },
    plan: { type: "string", default: "" },
    module: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
})
if (!values.suite) {
  console.error("Name the suite: npm run conformance -- --suite https://localhost:8443")
  process.exit(2)
}

/** A certificate for the application. The browser accepts it although nobody has signed it. */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"))
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  const request = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=relying-party.localhost",
  ]
  try {
    execFileSync("openssl", [...request, "-keyout", key, "-out", cert], { stdio: "ignore" })
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One module: the application is made, a person arrives, the suite gives its verdict. */
async function runModule({ suite, relyingParty, visitors, signingKey, plan, planId }, entry) {
  const { id } = await suite.startModule(planId, entry)
  await waitFor(suite, id, { states: ["WAITING", "FINISHED", "INTERRUPTED"], seconds: 30 })
  const { exposed = {} } = await suite.runner(id)
  const { issuer } = exposed
  const { clientId, clientSecret } =
    plan.variant.client_registration === "dynamic_client"
      ? await register(issuer, relyingParty)
      : { clientId: client.client_id, clientSecret: client.client_secret }
  const behaviour = behaviourIn(entry.testModule)
  const { visit, idToken } = behaviour
  const { formPost = false, refresh = false } = plan
  const registration = registrationIn(plan, behaviour)
  const known = { issuer, clientId, clientSecret, registration, signingKey }
  const said = relyingParty.serve({ ...known, formPost, refresh, idToken })
  const person = await visitors.arrive()
  await behave({ suite, relyingParty, id, person }, visit)
  const { status, result } = await waitFor(suite, id, { states: ["FINISHED", "INTERRUPTED"], seconds: 15 })
  const log = await suite.log(id)
  if (status !== "FINISHED") await suite.stop(id).catch(() => undefined)
  await person.leave()
  const verdict = status === "FINISHED" ? (result ?? "no result") : status
  return { module: entry.testModule, verdict, said, remarks: log.filter(isRemark) }
}

async function behave({ suite, relyingParty, id, person }, visit) {
  if (visit === "begin") return person.beginSignIn(relyingParty.origin)
  if (visit === "third-party") {
    const { browser } = await untilSent(suite, id)
    for (const url of browser?.urls ?? []) {
      await suite.visited(id, url)
      await person.visit(url)
    }
    return
  }
  await person.signIn(relyingParty.origin)
  if (visit === "twice") await person.signIn(relyingParty.origin)
  // Reading the session is when an application refreshes tokens.
  await person.visit(`${relyingParty.origin}/`)
}

/** Waits for the address that the suite sends the browser to. */
async function untilSent(suite, id) {
  for (let tries = 0; tries < 40; tries++) {
    const found = await suite.runner(id)
    if (found.browser?.urls?.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return {}
}

const isRemark = ({ result }) => result === "WARNING" || result === "FAILURE" || result === "REVIEW"

async function runPlan(world, plan) {
  const redirect = world.relyingParty.callback
  const configured = {
    alias,
    description: "Latchkey",
    waitTimeoutSeconds: 3,
    client: {
      ...client,
      ...registrationIn(plan, {}),
      ...(plan.variant.client_auth_type === "private_key_jwt" && { jwks: world.signingKey.jwks }),
      redirect_uri: redirect,
      initiate_login_uri: world.relyingParty.login,
    },
  }
  const isWanted = ({ testModule }) => testModule.includes(values.module) && (plan.only?.includes(testModule) ?? true)
  const { id, modules } = await world.suite.createPlan(plan.name, plan.variant, configured)
  const results = []
  for (const entry of modules.filter(isWanted)) {
    const result = await runModule({ ...world, plan, planId: id }, entry)
    console.log(`${plan.title}: ${result.module}: ${result.verdict} (${result.said.join("; ")})`)
    for (const { src, msg, result: grade } of result.remarks) console.log(`  ${grade} ${src}: ${msg}`)
    results.push(result)
  }
  return { plan, results }
}

const suite = suiteAt(values.suite)
const relyingParty = await openRelyingParty(makeCertificate())
const visitors = await openVisitors()
const signingKey = await makeSigningKey()
try {
  const ran = []
  for (const plan of plans.filter(({ name, title }) => `${name} ${title}`.includes(values.plan)))
    ran.push(await runPlan({ suite, relyingParty, visitors, signingKey }, plan))
  const isUnexpected = ({ module, verdict }) => verdict !== (expected[module]?.verdict ?? "PASSED")
  const served = ran.flatMap(({ plan, results }) => results.filter((result) => isServed(plan, result)))
  const unexpected = served.filter(isUnexpected)
  if (values.write) {
    const page = fileURLToPath(new URL("../docs/security/conformance.md", import.meta.url))
    writeFileSync(page, render(await suite.version(), ran))
  }
  console.log(`${served.length - unexpected.length} of ${served.length} verdicts are as expected`)
  if (unexpected.length > 0) process.exitCode = 1
} finally {
  await visitors.close()
  await relyingParty.close()
}
