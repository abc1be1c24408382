/** The demo with sessions in its database. */
import { demoWith } from "./support/strategy.js"

demoWith("database", 3400)
