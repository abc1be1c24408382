/** A server that tests need and a machine may lack. */
export type ServerPart = "postgresql" | "mariadb" | "redis" | "pgbouncer"
/** A part that tests need and a machine may lack. */
export type Part = ServerPart | "nginx"
type Environment = Readonly<Record<string, string | undefined>>
export declare const servers: readonly ServerPart[]
export declare const parts: readonly Part[]
export declare function partsLeftOut(env: Environment): readonly Part[]
export declare function tellLeftOut(env: Environment): readonly string[]
