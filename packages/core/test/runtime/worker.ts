/** The smoke test in a worker: the token comes as the body of a request, the report is the response. */
import { smoke } from "./smoke.js"

export default {
  async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(await smoke(await request.text()))
    } catch (error) {
      return new Response(error instanceof Error ? `${error.message}\n${error.stack}` : String(error), { status: 500 })
    }
  },
}
