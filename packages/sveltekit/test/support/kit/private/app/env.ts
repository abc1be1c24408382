/** Stands for `$app/env/private`: what the application has declared, by a schema that makes numbers. */
export const AUTH_DECLARED = 1
