/** The button "Add a passkey" of the account page. */
import { registerPasskey } from "@latchkey/core/client"

const button = /** @type {HTMLButtonElement} */ (document.querySelector("#add-passkey"))
const notice = /** @type {HTMLElement} */ (document.querySelector("#passkey-notice"))

if ("PublicKeyCredential" in window) {
  button.hidden = false
  button.addEventListener("click", add)
} else tell("This browser does not support passkeys.")

async function add() {
  button.disabled = true
  notice.hidden = true
  try {
    const answer = await registerPasskey({ redirect: false })
    if (answer?.ok) location.reload()
    else tell(answer?.message ?? "The passkey could not be added.")
  } catch (error) {
    tell(reasonOf(error))
  } finally {
    button.disabled = false
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  const { name, code, error: type } = /** @type {{ name?: string, code?: string, error?: string }} */ (error)
  if (type === "insufficient_user_authentication") return "Sign in again to add a passkey."
  if (code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") return "This device already has a passkey for your account."
  return name === "NotAllowedError" ? "No passkey was added." : "The passkey could not be added."
}

/** @param {string} text */
function tell(text) {
  notice.textContent = text
  notice.className = "notice bad"
  notice.hidden = false
}
