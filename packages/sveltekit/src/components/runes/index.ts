/** Forms that sign in and out, with snippets: for Svelte 5. */
export { default as SignIn } from "./sign-in.svelte"
export { default as SignOut } from "./sign-out.svelte"
