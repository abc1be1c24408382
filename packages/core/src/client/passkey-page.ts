/** The script of the built-in sign-in page. It is bundled with the browser library into one string; nothing imports it. */
import { type CeremonyAction, isCeremonyBody, optionsQuery, perform } from "./ceremony.js"
import { keepLastProvider } from "./last-provider.js"
import { browserLibrary } from "./library.js"

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) attach(form)

/** One form, and the last question it put to the server: a later answer replaces the challenge of an earlier one. */
interface Desk {
  readonly form: HTMLFormElement
  asked: Promise<unknown>
  readonly texts: Prompts
}

/** What the page says, in its language. */
interface Prompts {
  readonly followBrowser: string
  readonly unsupported: string
  readonly notStarted: string
  readonly registered: string
  readonly notUsed: string
  readonly failed: string
}

function attach(form: HTMLFormElement): void {
  const desk: Desk = { form, asked: Promise.resolve(), texts: JSON.parse(form.dataset["texts"] ?? "{}") }
  // A form that is a button alone stays hidden where it cannot be used.
  if (!browserLibrary.browserSupportsWebAuthn()) {
    if (!form.hidden) tell(form, desk.texts.unsupported)
    return
  }
  // Signing in needs no field; registering asks for them itself.
  form.noValidate = true
  form.hidden = false
  for (const button of buttonsOf(form)) button.hidden = false
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const isRegistration = event.submitter?.getAttribute("value") === "register"
    if (isRegistration && !inputsOf(form).every((input) => input.reportValidity())) return
    void ceremony(desk, isRegistration ? "register" : "authenticate")
  })
  if (form.dataset["conditional"] !== "true") return
  void offer(desk)
  // Another tab may have asked for a challenge meanwhile: on return this one asks again.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && !isBusy(form)) void offer(desk)
  })
}

/** Its own buttons, and those of other forms that belong to it. */
function buttonsOf(form: HTMLFormElement): HTMLButtonElement[] {
  return [...form.elements].filter((element) => element instanceof HTMLButtonElement)
}

/** Fields that name the person, wherever on the page they stand. */
function inputsOf(form: HTMLFormElement): HTMLInputElement[] {
  const inputs = [...document.querySelectorAll<HTMLInputElement>("input[data-form-field]")]
  return inputs.filter((input) => input.dataset["formField"] === form.dataset["passkey"])
}

/** A ceremony runs: asking anew would abort it. */
function isBusy(form: HTMLFormElement): boolean {
  return buttonsOf(form).some(({ disabled }) => disabled)
}

async function ceremony(desk: Desk, action: CeremonyAction): Promise<void> {
  const { form, texts } = desk
  const buttons = buttonsOf(form)
  for (const button of buttons) button.disabled = true
  form.setAttribute("aria-busy", "true")
  say(form, texts.followBrowser)
  try {
    await run(desk, action, false)
  } catch (error) {
    tell(form, reasonOf(error, texts))
  } finally {
    for (const button of buttons) button.disabled = false
    form.removeAttribute("aria-busy")
    form.querySelector("[role=status]")?.remove()
  }
}

/** Offers passkeys while the person types. Whatever prevents it stays silent: the button is still there. */
async function offer(desk: Desk): Promise<void> {
  try {
    if (await browserLibrary.browserSupportsWebAuthnAutofill()) await run(desk, "authenticate", true)
  } catch {
    // Aborted by the button, or not possible here.
  }
}

async function run(desk: Desk, action: CeremonyAction, isOffer: boolean): Promise<void> {
  const { form } = desk
  const fields = isOffer ? {} : fieldsOf(form)
  const question = `${form.dataset["optionsUrl"]}?${optionsQuery(action, fields)}`
  // One after the other: the answer that comes last must be the one whose challenge is used.
  const asking = desk.asked.then(() => fetch(question))
  desk.asked = asking.catch(() => undefined)
  const response = await asking
  const body: unknown = await response.json().catch(() => undefined)
  // A button was pressed meanwhile: its own question is on the way.
  if (isOffer && isBusy(form)) return
  if (response.status === 401 && isRefusal(body)) {
    location.assign(`${body.url}?${new URLSearchParams({ error: "SessionRequired", callbackUrl: location.href })}`)
    return
  }
  if (!response.ok || !isCeremonyBody(body)) throw new NotStarted()
  const result = await perform(browserLibrary, body, isOffer)
  // A field of this form is sent as it is; one of another form has to be brought along.
  const elsewhere = inputsOf(form).filter((input) => input.form !== form && input.value !== "")
  for (const { name, value } of elsewhere) setHidden(form, name, value)
  for (const [name, value] of Object.entries(result)) setHidden(form, name, value)
  keepLastProvider(form.dataset["passkey"] ?? "")
  // The natively called one: a field named "submit" would stand in its way, and no second event is wanted.
  HTMLFormElement.prototype.submit.call(form)
}

/** The session is too old for one more passkey: `url` is the sign-in page. */
function isRefusal(body: unknown): body is { readonly url: string } {
  return typeof body === "object" && body !== null && "url" in body && typeof body.url === "string"
}

function fieldsOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(inputsOf(form).map(({ name, value }) => [name, value]))
}

function setHidden(form: HTMLFormElement, name: string, value: string): void {
  const input =
    form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`) ?? document.createElement("input")
  input.type = "hidden"
  input.name = name
  input.value = value
  form.append(input)
}

function tell(form: HTMLFormElement, text: string): void {
  const notice = form.querySelector("[data-notice]") ?? document.createElement("div")
  notice.className = "alert"
  notice.setAttribute("role", "alert")
  notice.setAttribute("data-notice", "")
  notice.textContent = text
  form.prepend(notice)
}

/** A notice for as long as the browser asks. */
function say(form: HTMLFormElement, text: string): void {
  const status = document.createElement("p")
  status.className = "status"
  status.setAttribute("role", "status")
  form.append(status)
  // What is there already when the element comes is not read out.
  status.textContent = text
}

/** The server did not begin the ceremony. */
class NotStarted extends Error {}

function reasonOf(error: unknown, texts: Prompts): string {
  if (error instanceof NotStarted) return texts.notStarted
  const { name, code } = error as { name?: string; code?: string }
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") return texts.registered
  if (name === "NotAllowedError") return texts.notUsed
  return texts.failed
}
