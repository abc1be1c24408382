/** What tabs of one application send to each other. */
import type { Session } from "@latchkey/core/types"

/** A session, and when the service was asked for it: an answer to an earlier request is older. */
export interface News {
  readonly session: Session | null
  /** Milliseconds since the epoch. */
  readonly asked: number
  /**
   * Absent: the service has answered it. `rendered`: it came with a page, nobody knows when that was made. `objection`: the
   * answer of a tab that knows otherwise.
   */
  readonly kind?: "rendered" | "objection"
}

/** The channel of one tab to the others. */
export interface Tabs {
  readonly send: (news: News) => void
  readonly close: () => void
}

/** Sent by functions that hold no store: the session is another one from now on. */
const change = "changed"

/** Says to all tabs that the session has changed: visible tabs ask the service, the others receive the answer. */
export function announceChange(channel: string): void {
  if (typeof BroadcastChannel !== "function") return
  const tabs = new BroadcastChannel(channel)
  tabs.postMessage(change)
  tabs.close()
}

/** Listens to the other tabs. `onChange` waits until this tab is in sight, unless another tab sends news before. */
export function openTabs(
  channel: string,
  { onNews, onChange }: { readonly onNews: (news: News) => void; readonly onChange: () => void },
): Tabs | undefined {
  if (typeof BroadcastChannel !== "function") return undefined
  const tabs = new BroadcastChannel(channel)
  let isOutdated = false
  const look = (): void => {
    if (!isOutdated || document.visibilityState !== "visible") return
    isOutdated = false
    onChange()
  }
  tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isNews(data)) {
      isOutdated = false
      onNews(data)
    }
    if (data !== change) return
    isOutdated = true
    look()
  }
  document.addEventListener("visibilitychange", look)
  return {
    send: (news) => tabs.postMessage(news),
    close() {
      document.removeEventListener("visibilitychange", look)
      tabs.close()
    },
  }
}

/** Any script of the same origin can write to the channel. */
function isNews(data: unknown): data is News {
  if (typeof data !== "object" || data === null || !("session" in data) || !("asked" in data)) return false
  return typeof data.session === "object" && typeof data.asked === "number" && Number.isFinite(data.asked)
}
