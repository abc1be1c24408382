/** The pages. What is put into them is escaped. */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escaped = (value) => String(value ?? "").replace(/[&<>"']/g, (character) => entities[character])

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); --accent: #2f5bd8 }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1.25rem }
nav { display: flex; gap: 1.25rem; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line) }
a { color: light-dark(var(--accent), #9db8ff); text-underline-offset: 0.2em }
h1 { font-size: 1.5rem; margin: 1.5rem 0 1rem }
form { display: grid; gap: 0.9rem; margin: 1rem 0 }
label { display: grid; gap: 0.25rem; font-size: 0.9rem }
label:has([type="checkbox"]) { display: flex; align-items: center; gap: 0.5rem }
input:not([type="checkbox"]), button { font: inherit; padding: 0.55rem 0.75rem; border-radius: 0.5rem; border: 1px solid var(--line) }
button { background: var(--accent); color: white; border-color: transparent; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[role="alert"] { padding: 0.6rem 0.8rem; border-radius: 0.5rem; border: 1px solid var(--line) }
`

const shell = (title, body) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
<nav><a href="/">Home</a> <a href="/secret">Protected</a> <a href="/profile">Profile</a></nav>
<h1>${title}</h1>
${body}
</html>`

const signOutForm = `<form method="post" action="/signout"><button>Sign out</button></form>`

export const homePage = ({ session }) =>
  session?.user
    ? shell("Home", `<p>Hello, ${escaped(session.user.name ?? session.user.email)}.</p>${signOutForm}`)
    : shell("Home", `<p>Nobody is signed in. <a href="/signin">Sign in</a></p>`)

export const secretPage = ({ session }) =>
  shell("Protected", `<p>Only people who are signed in read this, such as ${escaped(session.user.email)}.</p>`)

export const profilePage = ({ session: { user } }) =>
  shell(
    "Profile",
    `<form method="post" action="/profile">
<label>Name <input name="name" value="${escaped(user.name)}" autocomplete="name"></label>
<button>Save</button>
</form>
<p>${escaped(user.email)}</p>
${signOutForm}`,
  )

const messages = new Map(
  Object.entries({
    credentials: "Address or password are not right.",
    "not-registered":
      "That did not work: the address is taken or no address, or the password is shorter than 12 characters.",
    SessionRequired: "Please sign in to see that page.",
  }),
)

/** Providers come from the view: label, mark, and what their forms post. The form for passwords is this application's own. */
export const signInPage = ({ providers, hidden }, { callbackUrl = "/", error }) => {
  const message = error && `<p role="alert">${messages.get(error) ?? "That did not work. Try again."}</p>`
  const inputs = Object.entries(hidden).map(([name, value]) => input(name, value))
  return shell(
    "Sign in",
    `${message || ""}
<form method="post" action="/signin">${input("callbackUrl", callbackUrl)}
<input type="hidden" name="provider" value="credentials">
<label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<label><input name="isNew" type="checkbox"> I am new here</label>
<button>Sign in</button>
</form>${providers.map((provider) => providerForm(provider, inputs.join(""))).join("")}`,
  )
}

const input = (name, value) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`

const providerForm = ({ action, label, mark }, inputs) =>
  `<form method="post" action="${escaped(action)}">${inputs}<button>${
    mark ? `<img src="${escaped(mark)}" alt="" width="20" height="20"> ` : ""
  }${escaped(label)}</button></form>`
