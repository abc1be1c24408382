/** A request read whole, its body included, without what the pipeline decides in between. */
import { type Incoming, type IncomingSettings, readHead, type Sender, withForm } from "../../src/http/incoming.js"

/** Reads a request. Never throws. */
export async function readIncoming(request: Request, settings: IncomingSettings, sender?: Sender): Promise<Incoming> {
  return await withForm(readHead(request, settings, sender), () => request)
}
