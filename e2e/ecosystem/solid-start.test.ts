/** `@auth/solid-start` on our engine. Its handlers alone: nothing of its framework takes part in them. */

import { byTsc, describeApplication, itTakesPasswords } from "./support/application.js"

describeApplication(
  {
    framework: "@auth/solid-start",
    folder: "solid-start",
    basePath: "/api/auth",
    checkTypes: byTsc,
    start: ["node", "dist/app.js"],
  },
  itTakesPasswords,
)
