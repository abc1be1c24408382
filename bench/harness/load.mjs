/** Loads what is installed in bench/ alone: no other part of the project depends on it. */

/** The module of this name. */
export const load = (name) => import(name)
