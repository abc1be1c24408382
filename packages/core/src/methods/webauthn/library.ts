/** Which WebAuthn library serves a provider. */
import { InvalidConfiguration } from "../../errors.js"
import type { WebAuthnConfig, WebAuthnModules } from "../../types/provider.js"
import type { WebAuthnLibrary } from "./ceremony.js"
import { currentLibrary } from "./current.js"
import { versionNine } from "./version-nine.js"

/**
 * The library that serves a provider: its own, if it really brings one, else ours.
 * @throws InvalidConfiguration when the package is not installed, or not part of a bundle.
 */
export async function libraryOf(config: WebAuthnConfig): Promise<WebAuthnLibrary> {
  return versionNine(config.simpleWebAuthn) ?? currentLibrary(await (config.loadLibrary ?? findLibrary)())
}

// Put together at run time: a bundler would look for a literal name in every application, with passkeys or without.
const packageName = ["@simplewebauthn", "server"].join("/")

/** For provider objects that bring no loader, such as those of Auth.js. */
async function findLibrary(): Promise<WebAuthnModules> {
  try {
    return { server: await importAtRunTime(packageName), helpers: await importAtRunTime(`${packageName}/helpers`) }
  } catch (err) {
    throw new InvalidConfiguration(
      `Passkeys need the package \`${packageName}\`, and this provider object does not load it. In a bundled application use \`Passkey\` of @latchkey/core/providers/passkey; otherwise: npm install ${packageName}`,
      { cause: { err } },
    )
  }
}

function importAtRunTime(name: string): Promise<object> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name)
}
