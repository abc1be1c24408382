/** Stands for `$app/navigation`: tests look at what was called. */
import { vi } from "vitest"

export const refreshAll: () => Promise<void> = vi.fn(async () => undefined)
