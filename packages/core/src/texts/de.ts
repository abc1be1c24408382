/** The texts in German. */
import type { Texts } from "./texts.js"

/** All texts. */
export const de: Texts = {
  "action.signIn": "Anmelden",
  "action.signOut": "Abmelden",
  "action.continue": "Weiter",
  "action.backToSite": "Zurück zur Website",
  incident: "Referenz: {id}",
  "list.or": "oder",
  "signin.heading": "Anmelden",
  "signin.headingApp": "Bei {app} anmelden",
  "signin.with": "Mit {provider} anmelden",
  "signin.continueWith": "Weiter mit {provider}",
  "signin.emailLink": "Link per E-Mail senden",
  "signin.withPasskey": "Mit Passkey anmelden",
  "signin.email": "E-Mail-Adresse",
  "signin.password": "Passwort",
  "signin.showPassword": "Passwort anzeigen",
  "signin.hidePassword": "Passwort verbergen",
  "signin.lastUsed": "Zuletzt verwendet",
  "signin.moreWays": "Weitere Anmeldemöglichkeiten",
  "signin.forgotPassword": "Passwort vergessen?",
  "signin.createAccount": "Neu hier? Konto erstellen",
  "signin.help": "Hilfe",
  "signin.terms": "Nutzungsbedingungen",
  "signin.privacy": "Datenschutz",
  "signin.none": "Es ist keine Anmeldemöglichkeit eingerichtet.",
  "signin.cancelled": "Die Anmeldung wurde abgebrochen oder beim Anbieter abgelehnt. Es hat sich nichts geändert.",
  "signin.signedIn": "Sie sind angemeldet",
  "signin.account": "Ihr Konto: {name}",
  "signin.addsService":
    "Wenn Sie sich unten mit einem weiteren Dienst anmelden, wird er mit diesem Konto verknüpft. Um ein anderes Konto zu verwenden, melden Sie sich zuerst ab.",
  "signin.addsPasskey":
    "Wenn Sie sich unten mit einem Passkey anmelden, wird er mit diesem Konto verknüpft. Um ein anderes Konto zu verwenden, melden Sie sich zuerst ab.",
  "signin.addsEither":
    "Wenn Sie sich unten mit einem weiteren Dienst oder einem Passkey anmelden, wird er mit diesem Konto verknüpft. Um ein anderes Konto zu verwenden, melden Sie sich zuerst ab.",
  "signin.replaces": "Wenn Sie sich unten anmelden, werden Sie zuerst von diesem Konto abgemeldet.",
  "signin.again": "Bitte melden Sie sich zur Bestätigung noch einmal auf eine Weise an, die Sie schon genutzt haben.",
  "signin.notAdded":
    "Dieses Konto konnte nicht mit Ihrem verknüpft werden. Möglicherweise gehört es bereits zu einem anderen Nutzerkonto. Sie sind weiterhin angemeldet.",
  "signin.error.Signin": "Die Anmeldung konnte nicht gestartet werden. Bitte versuchen Sie es erneut.",
  "signin.error.OAuthSignin":
    "Dieser Anbieter ist zurzeit nicht erreichbar. Versuchen Sie es in Kürze erneut oder wählen Sie eine andere Anmeldemöglichkeit.",
  "signin.error.OAuthCallbackError":
    "Der Anbieter hat die Anmeldung nicht abgeschlossen. Versuchen Sie es erneut oder wählen Sie eine andere Möglichkeit.",
  "signin.error.OAuthCreateAccount":
    "Ihr Konto konnte nicht erstellt werden. Versuchen Sie es in Kürze erneut oder wählen Sie eine andere Anmeldemöglichkeit.",
  "signin.error.EmailCreateAccount":
    "Ihr Konto konnte nicht erstellt werden. Fordern Sie einen neuen Link an und versuchen Sie es erneut.",
  "signin.error.Callback": "Die Anmeldung konnte nicht abgeschlossen werden. Bitte versuchen Sie es erneut.",
  "signin.error.OAuthAccountNotLinked":
    "Sie haben sich bisher auf andere Weise angemeldet. Bitte melden Sie sich zur Bestätigung noch einmal so an.",
  "signin.error.EmailSignin":
    "Die E-Mail konnte nicht gesendet werden. Prüfen Sie die Adresse und versuchen Sie es erneut.",
  "signin.error.CredentialsSignin":
    "Die Angaben stimmen nicht überein. Prüfen Sie Ihre Eingabe und versuchen Sie es erneut.",
  "signin.error.SessionRequired": "Bitte melden Sie sich an, um diese Seite zu sehen.",
  "signin.error.other": "Die Anmeldung ist fehlgeschlagen.",
  "signout.heading": "Abmelden",
  "signout.question": "Möchten Sie sich abmelden?",
  "signout.questionNamed": "Sie sind als {name} angemeldet. Möchten Sie sich abmelden?",
  "signout.stay": "Angemeldet bleiben",
  "signout.nobody": "Sie sind nicht angemeldet",
  "signout.nothing": "In diesem Browser gibt es keine Sitzung, die beendet werden kann.",
  "verify.heading": "Prüfen Sie Ihr Postfach",
  "verify.text":
    "Ein Anmeldelink ist zu Ihnen unterwegs. Er funktioniert einmal. Wenn er nicht ankommt, sehen Sie im Spam-Ordner nach.",
  "verify.textTo":
    "Wir haben einen Anmeldelink an {email} gesendet. Er funktioniert einmal. Wenn er nicht ankommt, sehen Sie im Spam-Ordner nach.",
  "verify.again": "Erneut senden",
  "verify.againIn": {
    one: "In {count} Sekunde können Sie ihn erneut senden.",
    other: "In {count} Sekunden können Sie ihn erneut senden.",
  },
  "verify.otherAddress": "Andere Adresse verwenden",
  "verify.newLink": "Neuen Link per E-Mail senden",
  "confirm.heading": "Bestätigen Sie, dass Sie es sind",
  "confirm.text":
    "Sie melden sich gleich als {name} an. Wenn Sie das nicht veranlasst haben, schließen Sie diese Seite.",
  "error.Configuration": "Die Anmeldung funktioniert nicht",
  "error.Configuration.text":
    "Auf dieser Website ist ein Fehler aufgetreten. Die Betreiber finden Einzelheiten in ihrem Protokoll.",
  "error.AccessDenied": "Zugriff verweigert",
  "error.AccessDenied.text": "Sie sind nicht berechtigt, sich mit diesem Konto anzumelden.",
  "error.Verification": "Dieser Link ist nicht mehr gültig",
  "error.Verification.text": "Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.",
  "error.other": "Es ist ein Fehler aufgetreten",
  "error.other.text": "Das hat nicht geklappt. Gehen Sie zurück und versuchen Sie es erneut.",
  "error.notFound": "Seite nicht gefunden",
  "error.notFound.text":
    "Unter dieser Adresse gibt es keine Anmeldemöglichkeit. Der Link ist möglicherweise falsch geschrieben oder veraltet.",
  "error.tooMany": "Zu viele Versuche",
  "error.tooMany.text":
    "Warten Sie einen Moment und versuchen Sie es dann erneut. Wenn die vorigen Versuche nicht von Ihnen stammen: Ihr Konto ist weiterhin sicher.",
  "passkey.create": "Passkey erstellen",
  "passkey.needsScript": "Für Passkeys wird JavaScript benötigt.",
  "passkey.unsupported": "Dieser Browser unterstützt keine Passkeys.",
  "passkey.notStarted": "Der Server hat die Anmeldung mit Passkey nicht gestartet.",
  "passkey.registered": "Auf diesem Gerät gibt es bereits einen Passkey für dieses Konto.",
  "passkey.notUsed":
    "Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder wählen Sie eine andere Anmeldemöglichkeit.",
  "passkey.failed":
    "Der Passkey hat nicht funktioniert. Versuchen Sie es erneut oder wählen Sie eine andere Anmeldemöglichkeit.",
  "passkey.followBrowser": "Folgen Sie den Anweisungen Ihres Browsers.",
  "passkeys.heading": "Ihre Passkeys",
  "passkeys.none":
    "Sie haben noch keine Passkeys. Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder der PIN Ihres Geräts an.",
  "passkeys.unnamed": "Passkey",
  "passkeys.add": "Passkey hinzufügen",
  "passkeys.rename": "Umbenennen",
  "passkeys.remove": "Entfernen",
  "passkeys.added": "Hinzugefügt am {date}",
  "passkeys.used": "Zuletzt verwendet am {date}",
  "passkeys.synced": "Auf Ihren Geräten synchronisiert",
  "passkeys.bound": "Nur auf einem Gerät",
  "passkeys.renameHeading": "Passkey umbenennen",
  "passkeys.name": "Name",
  "passkeys.save": "Speichern",
  "passkeys.cancel": "Abbrechen",
  "passkeys.removeHeading": "Diesen Passkey entfernen?",
  "passkeys.removeText": "Mit {name} können Sie sich dann nicht mehr anmelden.",
  "passkeys.removeLast": "Das ist Ihre einzige Anmeldemöglichkeit. Ohne sie kommen Sie nicht mehr in Ihr Konto.",
  "passkeys.removeAnyway": "Trotzdem entfernen",
  "passkeys.didAdd": "Der Passkey wurde hinzugefügt.",
  "passkeys.didRename": "Der Passkey wurde umbenannt.",
  "passkeys.didRemove": "Der Passkey wurde entfernt. Er meldet Sie nicht mehr an.",
  "passkeys.absent": "Diesen Passkey gibt es nicht.",
  "passkeys.notAdded": "Es wurde kein Passkey hinzugefügt. Bitte versuchen Sie es erneut.",
  "mail.subject": "Bei {app} anmelden",
  "mail.intro": "Klicken Sie auf die Schaltfläche, um sich bei {app} anzumelden. Sie funktioniert einmal, bis {time}.",
  "mail.introOnce": "Klicken Sie auf die Schaltfläche, um sich bei {app} anzumelden. Sie funktioniert einmal.",
  "mail.textIntro": "Öffnen Sie diesen Link, um sich bei {app} anzumelden. Er funktioniert einmal, bis {time}.",
  "mail.textIntroOnce": "Öffnen Sie diesen Link, um sich bei {app} anzumelden. Er funktioniert einmal.",
  "mail.button": "Anmelden",
  "mail.address": "Die Schaltfläche funktioniert nicht? Öffnen Sie diese Adresse in Ihrem Browser:",
  "mail.why": "Sie erhalten diese E-Mail, weil jemand Ihre Adresse bei {app} zum Anmelden eingegeben hat.",
  "mail.whyFrom":
    "Sie erhalten diese E-Mail, weil jemand Ihre Adresse bei {app} zum Anmelden eingegeben hat, und zwar mit: {device}.",
  "mail.notYou":
    "Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne diesen Link kann sich niemand anmelden. Geben Sie ihn nicht weiter.",
  "device.both": "{browser} unter {system}",
}
