/** Secrets: whether they can be guessed, are read as meant, and stay where they belong. */
import { join } from "node:path"
import { parse } from "dotenv"
import { isIgnored } from "../init/secrets.js"
import { type Check, type Finding, found, pages } from "./finding.js"

const error = found("error", pages.commandLine)
const warning = found("warning", pages.commandLine)

const numbered = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"]

/** Fewer different characters are not drawn at random: of 32 hexadecimal digits about 14 differ. */
const differentAtLeast = 8

/** Secrets that can be guessed although they are long. */
export const strength: Check = ({ env, written }) => {
  const given = numbered.map((name) => [name, env[name]] as const)
  const listed = [written?.secret].flat().map((value) => ["secret", value] as const)
  const findings: Finding[] = []
  for (const [name, value] of [...given, ...listed]) {
    if (typeof value !== "string" || value.length < 32) continue
    if (new Set(value).size < differentAtLeast) {
      findings.push(
        error(
          "secret-repetitive",
          `${name}: expected random characters, received a string of only ${new Set(value).size} different ones.`,
          "Make one with npx @latchkey/cli secret.",
        ),
      )
    }
  }
  if (env.AUTH_SECRET_4 !== undefined) {
    findings.push(
      warning(
        "secret-number",
        "AUTH_SECRET_4: expected numbers up to 3, received 4, which is not read.",
        "Remove the oldest secret, and move each of the others down by one number.",
      ),
    )
  }
  const values = given.flatMap(([, value]) => (value ? [value] : []))
  if (new Set(values).size < values.length) {
    findings.push(
      warning(
        "secret-twice",
        "AUTH_SECRET_…: expected different secrets, received the same value twice.",
        "A rotation needs a new one: npx @latchkey/cli secret --rotate.",
      ),
    )
  }
  return findings
}

/** A secret that is written into the code, or handed to browsers. */
export const exposed: Check = ({ env, isInCode, written, world }) => {
  const shown = Object.keys(env).filter(
    (name) => /^(?:NEXT_PUBLIC|PUBLIC|VITE|REACT_APP|NUXT_PUBLIC)_.*(?:SECRET|PRIVATE_KEY)/.test(name) && env[name],
  )
  const findings: Finding[] = shown.map((name) =>
    error(
      "secret-public",
      `${name}: expected no secret under a name that frameworks put into pages, received one.`,
      `Rename it to ${name.replace(/^(?:NEXT_PUBLIC|PUBLIC|VITE|REACT_APP|NUXT_PUBLIC)_/, "")}, and make a new value.`,
    ),
  )
  const inCode = [written?.secret]
    .flat()
    .some((value) => typeof value === "string" && !Object.values(env).includes(value) && isInCode(value))
  if (inCode) {
    findings.push(
      warning(
        "secret-in-code",
        "secret: expected it in the environment, received a value that stands in the code.",
        "Leave the option out and set AUTH_SECRET, so that it stays out of version control.",
      ),
    )
  }
  const example = world.files.read(join(world.cwd, ".env.example"))
  const secret = env.AUTH_SECRET
  if (secret && example !== undefined && Object.values(parse(example)).includes(secret)) {
    findings.push(
      error(
        "secret-in-example",
        "AUTH_SECRET: expected a value of its own, received the one of .env.example, which is in version control.",
        "Make another one with npx @latchkey/cli secret.",
      ),
    )
  }
  return findings
}

/** Files with secrets that version control would take. */
export const ignored: Check = ({ envFiles, world }) => {
  if (!world.files.exists(join(world.cwd, ".git"))) return []
  const gitignore = world.files.read(join(world.cwd, ".gitignore")) ?? ""
  return envFiles.files
    .filter(
      (file) =>
        !isIgnored(gitignore, file) && /^AUTH_\w*SECRET\w*=./m.test(world.files.read(join(world.cwd, file)) ?? ""),
    )
    .map((file) =>
      error(
        "env-not-ignored",
        `${file}: expected it in .gitignore, because it holds a secret, received no such line.`,
        `Add the line ${file} to .gitignore, and make new secrets if it was ever committed.`,
      ),
    )
}

/** Characters that the framework's reader of .env takes for a name. */
export const mangled: Check = ({ env, envFiles, world }) =>
  envFiles.files.flatMap((file) => {
    const values = parse(world.files.read(join(world.cwd, file)) ?? "")
    return Object.entries(values)
      .filter(
        ([name, value]) =>
          /SECRET|_KEY|PASSWORD/.test(name) &&
          value.includes("$") &&
          env[name] !== value &&
          envFiles.sourceOf(name) === file,
      )
      .map(([name]) =>
        error(
          "value-expanded",
          `${name} in ${file}: expected the value as it is written, received one in which a part that begins with $ was replaced.`,
          "Write \\$ for each $ in it.",
        ),
      )
  })
