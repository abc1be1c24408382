/** The English texts. Their keys, and the names in braces, are the type that every other language has to fill. */

/** Every text that people read on pages, in mails and in passkey prompts. */
export const en = {
  // What several pages say.
  "action.signIn": "Sign in",
  "action.signOut": "Sign out",
  "action.continue": "Continue",
  "action.backToSite": "Back to the site",
  incident: "Reference: {id}",
  "list.or": "or",

  // The sign-in page.
  "signin.heading": "Sign in",
  "signin.headingApp": "Sign in to {app}",
  "signin.with": "Sign in with {provider}",
  "signin.continueWith": "Continue with {provider}",
  "signin.emailLink": "Email me a link",
  "signin.withPasskey": "Sign in with a passkey",
  "signin.email": "Email",
  "signin.password": "Password",
  "signin.showPassword": "Show password",
  "signin.hidePassword": "Hide password",
  "signin.lastUsed": "Last used",
  "signin.moreWays": "More ways to sign in",
  "signin.forgotPassword": "Forgot your password?",
  "signin.createAccount": "New here? Create an account",
  "signin.help": "Help",
  "signin.terms": "Terms",
  "signin.privacy": "Privacy",
  "signin.none": "No sign-in method is set up.",
  "signin.cancelled": "Signing in was cancelled or declined at the provider. Nothing has changed.",

  // The sign-in page, for somebody who is signed in.
  "signin.signedIn": "You are signed in",
  "signin.account": "Your account: {name}",
  "signin.addsService":
    "Signing in below with another service adds it to this account. To use a different account, sign out first.",
  "signin.addsPasskey":
    "Signing in below with a passkey adds it to this account. To use a different account, sign out first.",
  "signin.addsEither":
    "Signing in below with another service or a passkey adds it to this account. To use a different account, sign out first.",
  "signin.replaces": "Signing in below signs you out of this account first.",
  "signin.again": "Please sign in again, with a method you have used before, to confirm that it is you.",
  "signin.notAdded":
    "That account could not be added to yours: another user may have it already. You are still signed in.",

  // The sign-in page, by the public value of an error.
  "signin.error.Signin": "Signing in did not start. Please try again.",
  "signin.error.OAuthSignin":
    "This provider cannot be reached right now. Try again shortly, or choose another way to sign in.",
  "signin.error.OAuthCallbackError": "The provider did not complete the sign-in. Try again, or choose another way.",
  "signin.error.OAuthCreateAccount":
    "Your account could not be created. Try again shortly, or choose another way to sign in.",
  "signin.error.EmailCreateAccount": "Your account could not be created. Ask for a new link and try again.",
  "signin.error.Callback": "Signing in did not complete. Please try again.",
  "signin.error.OAuthAccountNotLinked":
    "You used another method to sign in before. Please use that method again to confirm that it is you.",
  "signin.error.EmailSignin": "The email could not be sent. Check the address and try again.",
  "signin.error.CredentialsSignin": "That did not match. Check what you entered and try again.",
  "signin.error.SessionRequired": "Please sign in to see this page.",
  "signin.error.other": "You could not be signed in.",

  // The sign-out page.
  "signout.heading": "Sign out",
  "signout.question": "Do you want to sign out?",
  "signout.questionNamed": "You are signed in as {name}. Do you want to sign out?",
  "signout.stay": "Stay signed in",
  "signout.nobody": "You are not signed in",
  "signout.nothing": "There is nothing to sign out of in this browser.",

  // After a link was asked for.
  "verify.heading": "Check your email",
  "verify.text": "A sign-in link is on its way to you. It works once; if it does not arrive, check your spam folder.",
  "verify.textTo": "We sent a sign-in link to {email}. It works once; if it does not arrive, check your spam folder.",
  "verify.again": "Send it again",
  "verify.againIn": {
    one: "You can send it again in {count} second.",
    other: "You can send it again in {count} seconds.",
  },
  "verify.otherAddress": "Use another address",
  "verify.newLink": "Email me a new link",

  // Behind a link that does not sign in by being opened.
  "confirm.heading": "Confirm it is you",
  "confirm.text": "You are about to sign in as {name}. If you did not ask for this, close the page.",

  // The error page.
  "error.Configuration": "Signing in is not working",
  "error.Configuration.text": "Something went wrong on this site. Its operators can find the details in their log.",
  "error.AccessDenied": "Access denied",
  "error.AccessDenied.text": "You do not have permission to sign in with this account.",
  "error.Verification": "This link no longer works",
  "error.Verification.text": "It has been used already, or it has expired. Ask for a new one.",
  "error.other": "Something went wrong",
  "error.other.text": "This could not be done. Go back and try again.",
  "error.notFound": "Page not found",
  "error.notFound.text": "There is no sign-in method at this URL. The link may be misspelt or out of date.",
  "error.tooMany": "Too many tries",
  "error.tooMany.text":
    "Wait a little, then try again. If it was not you who tried before, your account is still safe.",

  // Passkey prompts, spoken by the script of the sign-in page.
  "passkey.create": "Create a passkey",
  "passkey.needsScript": "Passkeys need JavaScript.",
  "passkey.unsupported": "This browser does not support passkeys.",
  "passkey.notStarted": "The server did not start the passkey sign-in.",
  "passkey.registered": "This device already has a passkey for this account.",
  "passkey.notUsed": "No passkey was used. Try again, or choose another way to sign in.",
  "passkey.failed": "The passkey did not work. Try again, or choose another way to sign in.",
  "passkey.followBrowser": "Follow the steps your browser shows.",

  // The page of passkeys, for somebody who is signed in.
  "passkeys.heading": "Your passkeys",
  "passkeys.none":
    "You have no passkeys yet. A passkey signs you in with your fingerprint, your face or the PIN of your device.",
  "passkeys.unnamed": "Passkey",
  "passkeys.add": "Add a passkey",
  "passkeys.rename": "Rename",
  "passkeys.remove": "Remove",
  "passkeys.added": "Added {date}",
  "passkeys.used": "Last used {date}",
  "passkeys.synced": "Synced across your devices",
  "passkeys.bound": "On one device only",
  "passkeys.renameHeading": "Rename this passkey",
  "passkeys.name": "Name",
  "passkeys.save": "Save",
  "passkeys.cancel": "Cancel",
  "passkeys.removeHeading": "Remove this passkey?",
  "passkeys.removeText": "{name} will no longer sign you in.",
  "passkeys.removeLast": "This is your only way to sign in. Without it you cannot get back into your account.",
  "passkeys.removeAnyway": "Remove it anyway",
  "passkeys.didAdd": "The passkey was added.",
  "passkeys.didRename": "The passkey was renamed.",
  "passkeys.didRemove": "The passkey was removed. It no longer signs you in.",
  "passkeys.absent": "There is no such passkey.",
  "passkeys.notAdded": "No passkey was added. Please try again.",

  // The mail with a sign-in link.
  "mail.subject": "Sign in to {app}",
  "mail.intro": "Press the button to sign in to {app}. It works once, until {time}.",
  "mail.introOnce": "Press the button to sign in to {app}. It works once.",
  "mail.textIntro": "Open this link to sign in to {app}. It works once, until {time}.",
  "mail.textIntroOnce": "Open this link to sign in to {app}. It works once.",
  "mail.button": "Sign in",
  "mail.address": "The button does nothing? Open this address in your browser:",
  "mail.why": "You receive this email because somebody entered your address at {app} to sign in.",
  "mail.whyFrom": "You receive this email because somebody entered your address at {app} to sign in, with {device}.",
  "mail.notYou":
    "If it was not you, you need not do anything: nobody can sign in without this link. Do not pass it on.",

  // The browser and system of whoever asked for a mail.
  "device.both": "{browser} on {system}",
} as const
