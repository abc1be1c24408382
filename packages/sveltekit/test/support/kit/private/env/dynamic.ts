/** Stands for `$env/dynamic/private`. */
export const env: Record<string, string> = { AUTH_SECRET: "of-the-dynamic-environment-32-chars" }
