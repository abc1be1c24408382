/** A saved cookie opens nothing once its session has ended (OWASP ASVS 5.0 7.4.1): the reference adapter. */
import { memoryAdapter } from "../../src/memory.js"
import { replayCases } from "../support/replay.js"

replayCases("in memory", async () => ({ adapter: memoryAdapter() }))
