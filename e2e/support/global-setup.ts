import { findChromium } from "./chromium.js"

/** Installs Chromium where it is missing, before files of tests that run side by side would all do so. */
export function setup(): void {
  findChromium()
}
