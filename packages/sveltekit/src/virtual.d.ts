/** Modules that the application's build makes, as far as they are read here. They differ by application and major version. */
declare module "$env/dynamic/private" {
  export const env: Readonly<Record<string, string | undefined>>
}

declare module "$app/env/private" {
  export {}
}
