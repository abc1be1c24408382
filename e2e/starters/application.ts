/** The application that somebody makes in a test, started as its own scripts start it. */
import { get } from "node:http"
import { run, start } from "./shell.js"

/** A running application. */
export interface Application {
  readonly origin: string
  readonly stop: () => void
  /** What it has printed. */
  readonly said: () => string
}

/** Asked without a connection that is kept: the next request may go to the application after it. */
function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(address, { agent: false }, (response) => {
      response.resume()
      resolve(true)
    })
    request.on("error", () => resolve(false))
  })
}

/** Starts it at a port of our choice: Vite is given it as an argument, the others read `PORT`. */
export async function startApplication(
  command: readonly string[],
  { folder, port, env }: { folder: string; port: number; env?: Readonly<Record<string, string>> },
): Promise<Application> {
  const isVite = /vite/.test(run(["npm", "pkg", "get", "scripts.dev"], { folder }))
  const origin = `http://${isVite ? "127.0.0.1" : "localhost"}:${port}`
  const said: string[] = []
  const stop = await start(isVite ? [...command, "--", "--port", String(port), "--host", "127.0.0.1"] : command, {
    folder,
    env: { ...env, PORT: String(port) },
    isReady: () => answers(origin),
    said,
  })
  return { origin, stop, said: () => said.join("") }
}
