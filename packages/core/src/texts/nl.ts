/** The texts in Dutch. */
import type { Texts } from "./texts.js"

/** All texts. */
export const nl: Texts = {
  "action.signIn": "Inloggen",
  "action.signOut": "Uitloggen",
  "action.continue": "Doorgaan",
  "action.backToSite": "Terug naar de site",
  incident: "Referentie: {id}",
  "list.or": "of",
  "signin.heading": "Inloggen",
  "signin.headingApp": "Inloggen bij {app}",
  "signin.with": "Inloggen met {provider}",
  "signin.continueWith": "Doorgaan met {provider}",
  "signin.emailLink": "E-mail me een link",
  "signin.withPasskey": "Inloggen met een passkey",
  "signin.email": "E-mailadres",
  "signin.password": "Wachtwoord",
  "signin.showPassword": "Wachtwoord tonen",
  "signin.hidePassword": "Wachtwoord verbergen",
  "signin.lastUsed": "Laatst gebruikt",
  "signin.moreWays": "Meer manieren om in te loggen",
  "signin.forgotPassword": "Wachtwoord vergeten?",
  "signin.createAccount": "Nieuw hier? Maak een account",
  "signin.help": "Help",
  "signin.terms": "Voorwaarden",
  "signin.privacy": "Privacy",
  "signin.none": "Er is geen manier van inloggen ingesteld.",
  "signin.cancelled": "Het inloggen is bij de aanbieder geannuleerd of geweigerd. Er is niets veranderd.",
  "signin.signedIn": "Je bent ingelogd",
  "signin.account": "Je account: {name}",
  "signin.addsService":
    "Als je hieronder met een andere dienst inlogt, wordt die aan dit account toegevoegd. Log eerst uit om een ander account te gebruiken.",
  "signin.addsPasskey":
    "Als je hieronder met een passkey inlogt, wordt die aan dit account toegevoegd. Log eerst uit om een ander account te gebruiken.",
  "signin.addsEither":
    "Als je hieronder met een andere dienst of een passkey inlogt, wordt die aan dit account toegevoegd. Log eerst uit om een ander account te gebruiken.",
  "signin.replaces": "Als je hieronder inlogt, word je eerst uit dit account uitgelogd.",
  "signin.notAdded":
    "Dat account kon niet aan het jouwe worden toegevoegd: misschien hoort het al bij een andere gebruiker. Je bent nog steeds ingelogd.",
  "signin.error.Signin": "Het inloggen kon niet beginnen. Probeer het opnieuw.",
  "signin.error.OAuthSignin":
    "Deze aanbieder is op dit moment niet bereikbaar. Probeer het zo opnieuw of kies een andere manier om in te loggen.",
  "signin.error.OAuthCallbackError":
    "De aanbieder heeft het inloggen niet voltooid. Probeer het opnieuw of kies een andere manier.",
  "signin.error.OAuthCreateAccount":
    "Je account kon niet worden gemaakt. Probeer het zo opnieuw of kies een andere manier om in te loggen.",
  "signin.error.EmailCreateAccount":
    "Je account kon niet worden gemaakt. Vraag een nieuwe link aan en probeer het opnieuw.",
  "signin.error.Callback": "Het inloggen is niet voltooid. Probeer het opnieuw.",
  "signin.error.OAuthAccountNotLinked":
    "Je hebt eerder op een andere manier ingelogd. Gebruik die manier opnieuw om te bevestigen dat jij het bent.",
  "signin.error.EmailSignin": "De e-mail kon niet worden verzonden. Controleer het adres en probeer het opnieuw.",
  "signin.error.CredentialsSignin": "De gegevens kloppen niet. Controleer wat je hebt ingevuld en probeer het opnieuw.",
  "signin.error.SessionRequired": "Log in om deze pagina te bekijken.",
  "signin.error.other": "Het inloggen is niet gelukt.",
  "signout.heading": "Uitloggen",
  "signout.question": "Wil je uitloggen?",
  "signout.questionNamed": "Je bent ingelogd als {name}. Wil je uitloggen?",
  "signout.stay": "Ingelogd blijven",
  "signout.nobody": "Je bent niet ingelogd",
  "signout.nothing": "In deze browser is er niets om uit te loggen.",
  "verify.heading": "Controleer je e-mail",
  "verify.text":
    "Er is een inloglink naar je onderweg. De link werkt één keer; komt hij niet aan, kijk dan in je spammap.",
  "verify.textTo":
    "We hebben een inloglink gestuurd naar {email}. De link werkt één keer; komt hij niet aan, kijk dan in je spammap.",
  "verify.again": "Opnieuw versturen",
  "verify.againIn": {
    one: "Over {count} seconde kun je opnieuw versturen.",
    other: "Over {count} seconden kun je opnieuw versturen.",
  },
  "verify.otherAddress": "Een ander adres gebruiken",
  "verify.newLink": "E-mail me een nieuwe link",
  "confirm.heading": "Bevestig dat jij het bent",
  "confirm.text": "Je staat op het punt in te loggen als {name}. Heb je hier niet om gevraagd, sluit dan deze pagina.",
  "error.Configuration": "Inloggen werkt niet",
  "error.Configuration.text": "Er is iets misgegaan op deze site. De beheerders vinden de details in hun logboek.",
  "error.AccessDenied": "Toegang geweigerd",
  "error.AccessDenied.text": "Je hebt geen toestemming om met dit account in te loggen.",
  "error.Verification": "Deze link werkt niet meer",
  "error.Verification.text": "De link is al gebruikt of verlopen. Vraag een nieuwe aan.",
  "error.other": "Er is iets misgegaan",
  "error.other.text": "Dit is niet gelukt. Ga terug en probeer het opnieuw.",
  "error.notFound": "Pagina niet gevonden",
  "error.notFound.text":
    "Op dit adres is er geen manier om in te loggen. De link is misschien verkeerd gespeld of verouderd.",
  "error.tooMany": "Te veel pogingen",
  "error.tooMany.text":
    "Wacht even en probeer het dan opnieuw. Waren de eerdere pogingen niet van jou, dan is je account nog steeds veilig.",
  "passkey.create": "Een passkey maken",
  "passkey.needsScript": "Passkeys hebben JavaScript nodig.",
  "passkey.unsupported": "Deze browser ondersteunt geen passkeys.",
  "passkey.notStarted": "De server heeft het inloggen met een passkey niet gestart.",
  "passkey.registered": "Dit apparaat heeft al een passkey voor dit account.",
  "passkey.notUsed": "Er is geen passkey gebruikt. Probeer het opnieuw of kies een andere manier om in te loggen.",
  "passkey.failed": "De passkey werkte niet. Probeer het opnieuw of kies een andere manier om in te loggen.",
  "passkey.followBrowser": "Volg de stappen die je browser toont.",
  "mail.subject": "Inloggen bij {app}",
  "mail.intro": "Druk op de knop om in te loggen bij {app}. De knop werkt één keer, tot {time}.",
  "mail.introOnce": "Druk op de knop om in te loggen bij {app}. De knop werkt één keer.",
  "mail.textIntro": "Open deze link om in te loggen bij {app}. De link werkt één keer, tot {time}.",
  "mail.textIntroOnce": "Open deze link om in te loggen bij {app}. De link werkt één keer.",
  "mail.button": "Inloggen",
  "mail.address": "Werkt de knop niet? Open dit adres in je browser:",
  "mail.why": "Je ontvangt deze e-mail omdat iemand je adres bij {app} heeft ingevuld om in te loggen.",
  "mail.whyFrom":
    "Je ontvangt deze e-mail omdat iemand je adres bij {app} heeft ingevuld om in te loggen, met {device}.",
  "mail.notYou":
    "Was jij dit niet, dan hoef je niets te doen: zonder deze link kan niemand inloggen. Geef de link niet door.",
  "device.both": "{browser} op {system}",
}
