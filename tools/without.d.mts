/** A part that tests need and a machine may lack. */
export type Part = "postgresql" | "mariadb" | "redis" | "pgbouncer"
type Environment = Readonly<Record<string, string | undefined>>
export declare const parts: readonly Part[]
export declare function partsLeftOut(env: Environment): readonly Part[]
export declare function tellLeftOut(env: Environment): readonly string[]
