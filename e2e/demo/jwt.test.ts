/** The demo with sessions in cookies. */
import { demoWith } from "./support/strategy.js"

demoWith("jwt", 3500)
