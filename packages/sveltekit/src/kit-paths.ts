/** `kit.paths.base`, on server and client. The whole module is handed on because its members differ by major version. */
import * as paths from "$app/paths"
import { kitBaseOf } from "./base-path.js"

/** Empty for the root. */
export const kitBase: string = kitBaseOf(paths)
