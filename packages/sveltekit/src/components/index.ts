/** Forms that sign in and out, with slots: for Svelte 4 and 5. */
export { default as SignIn } from "./sign-in.svelte"
export { default as SignOut } from "./sign-out.svelte"
