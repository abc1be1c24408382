/** A form whose head arrives long before its body. */
import { request } from "node:http"

/** What is sent. */
export interface Held {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly form: Readonly<Record<string, string>>
}

/** Sends the head of a form and waits until the application has it. What is returned sends the body, and answers the status. */
export async function holdBody({ port, path, headers, form }: Held): Promise<() => Promise<number>> {
  const body = new URLSearchParams(form).toString()
  const sending = request({
    host: "127.0.0.1",
    port,
    path,
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": Buffer.byteLength(body),
      // The server says that it goes on (RFC 9110 §10.1.1) when it hands the request to the application.
      expect: "100-continue",
    },
  })
  const status = new Promise<number>((resolve, reject) => {
    sending.on("response", (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sending.on("error", reject)
  })
  await Promise.race([new Promise<void>((resolve) => sending.once("continue", resolve)), status])
  return () => {
    sending.end(body)
    return status
  }
}
