/** The texts in French. */
import type { Texts } from "./texts.js"

/** All texts. */
export const fr: Texts = {
  "action.signIn": "Se connecter",
  "action.signOut": "Se déconnecter",
  "action.continue": "Continuer",
  "action.backToSite": "Retour au site",
  incident: "Référence : {id}",
  "list.or": "ou",
  "signin.heading": "Connexion",
  "signin.headingApp": "Connexion à {app}",
  "signin.with": "Se connecter avec {provider}",
  "signin.continueWith": "Continuer avec {provider}",
  "signin.emailLink": "M’envoyer un lien par e-mail",
  "signin.withPasskey": "Se connecter avec une clé d’accès",
  "signin.email": "Adresse e-mail",
  "signin.password": "Mot de passe",
  "signin.showPassword": "Afficher le mot de passe",
  "signin.hidePassword": "Masquer le mot de passe",
  "signin.lastUsed": "Dernière utilisée",
  "signin.moreWays": "Autres façons de se connecter",
  "signin.forgotPassword": "Mot de passe oublié ?",
  "signin.createAccount": "Nouveau ici ? Créer un compte",
  "signin.help": "Aide",
  "signin.terms": "Conditions d’utilisation",
  "signin.privacy": "Confidentialité",
  "signin.none": "Aucun moyen de connexion n’est configuré.",
  "signin.cancelled": "La connexion a été annulée ou refusée chez le fournisseur. Rien n’a changé.",
  "signin.signedIn": "Vous êtes connecté",
  "signin.account": "Votre compte : {name}",
  "signin.addsService":
    "Si vous vous connectez ci-dessous avec un autre service, il sera ajouté à ce compte. Pour utiliser un autre compte, déconnectez-vous d’abord.",
  "signin.addsPasskey":
    "Si vous vous connectez ci-dessous avec une clé d’accès, elle sera ajoutée à ce compte. Pour utiliser un autre compte, déconnectez-vous d’abord.",
  "signin.addsEither":
    "Si vous vous connectez ci-dessous avec un autre service ou une clé d’accès, ce moyen de connexion sera ajouté à ce compte. Pour utiliser un autre compte, déconnectez-vous d’abord.",
  "signin.replaces": "Si vous vous connectez ci-dessous, vous serez d’abord déconnecté de ce compte.",
  "signin.notAdded":
    "Ce compte n’a pas pu être ajouté au vôtre : il appartient peut-être déjà à un autre utilisateur. Vous êtes toujours connecté.",
  "signin.error.Signin": "La connexion n’a pas pu démarrer. Veuillez réessayer.",
  "signin.error.OAuthSignin":
    "Ce fournisseur est injoignable pour le moment. Réessayez dans un instant ou choisissez une autre façon de vous connecter.",
  "signin.error.OAuthCallbackError":
    "Le fournisseur n’a pas terminé la connexion. Réessayez ou choisissez une autre façon de vous connecter.",
  "signin.error.OAuthCreateAccount":
    "Votre compte n’a pas pu être créé. Réessayez dans un instant ou choisissez une autre façon de vous connecter.",
  "signin.error.EmailCreateAccount": "Votre compte n’a pas pu être créé. Demandez un nouveau lien et réessayez.",
  "signin.error.Callback": "La connexion n’a pas abouti. Veuillez réessayer.",
  "signin.error.OAuthAccountNotLinked":
    "Vous vous êtes connecté autrement par le passé. Veuillez utiliser à nouveau ce moyen pour confirmer votre identité.",
  "signin.error.EmailSignin": "L’e-mail n’a pas pu être envoyé. Vérifiez l’adresse et réessayez.",
  "signin.error.CredentialsSignin": "Ces informations ne correspondent pas. Vérifiez votre saisie et réessayez.",
  "signin.error.SessionRequired": "Veuillez vous connecter pour voir cette page.",
  "signin.error.other": "La connexion a échoué.",
  "signout.heading": "Déconnexion",
  "signout.question": "Voulez-vous vous déconnecter ?",
  "signout.questionNamed": "Vous êtes connecté en tant que {name}. Voulez-vous vous déconnecter ?",
  "signout.stay": "Rester connecté",
  "signout.nobody": "Vous n’êtes pas connecté",
  "signout.nothing": "Aucune session n’est ouverte dans ce navigateur.",
  "verify.heading": "Consultez votre messagerie",
  "verify.text":
    "Un lien de connexion vous a été envoyé. Il ne fonctionne qu’une fois ; s’il n’arrive pas, vérifiez vos courriers indésirables.",
  "verify.textTo":
    "Nous avons envoyé un lien de connexion à {email}. Il ne fonctionne qu’une fois ; s’il n’arrive pas, vérifiez vos courriers indésirables.",
  "verify.again": "Renvoyer",
  "verify.againIn": {
    one: "Vous pourrez le renvoyer dans {count} seconde.",
    other: "Vous pourrez le renvoyer dans {count} secondes.",
  },
  "verify.otherAddress": "Utiliser une autre adresse",
  "verify.newLink": "M’envoyer un nouveau lien",
  "confirm.heading": "Confirmez que c’est bien vous",
  "confirm.text": "Vous allez vous connecter en tant que {name}. Si vous n’avez rien demandé, fermez cette page.",
  "error.Configuration": "La connexion ne fonctionne pas",
  "error.Configuration.text":
    "Une erreur s’est produite sur ce site. Ses responsables en trouveront les détails dans leur journal.",
  "error.AccessDenied": "Accès refusé",
  "error.AccessDenied.text": "Vous n’êtes pas autorisé à vous connecter avec ce compte.",
  "error.Verification": "Ce lien n’est plus valable",
  "error.Verification.text": "Il a déjà été utilisé ou il a expiré. Demandez-en un nouveau.",
  "error.other": "Une erreur s’est produite",
  "error.other.text": "L’opération n’a pas pu être effectuée. Revenez en arrière et réessayez.",
  "error.notFound": "Page introuvable",
  "error.notFound.text":
    "Il n’y a pas de moyen de connexion à cette adresse. Le lien est peut-être mal écrit ou périmé.",
  "error.tooMany": "Trop de tentatives",
  "error.tooMany.text":
    "Patientez un peu, puis réessayez. Si ces tentatives ne viennent pas de vous, votre compte reste protégé.",
  "passkey.create": "Créer une clé d’accès",
  "passkey.needsScript": "Les clés d’accès nécessitent JavaScript.",
  "passkey.unsupported": "Ce navigateur ne prend pas en charge les clés d’accès.",
  "passkey.notStarted": "Le serveur n’a pas démarré la connexion par clé d’accès.",
  "passkey.registered": "Cet appareil possède déjà une clé d’accès pour ce compte.",
  "passkey.notUsed": "Aucune clé d’accès n’a été utilisée. Réessayez ou choisissez une autre façon de vous connecter.",
  "passkey.failed": "La clé d’accès n’a pas fonctionné. Réessayez ou choisissez une autre façon de vous connecter.",
  "passkey.followBrowser": "Suivez les instructions de votre navigateur.",
  "mail.subject": "Connexion à {app}",
  "mail.intro": "Appuyez sur le bouton pour vous connecter à {app}. Il fonctionne une seule fois, jusqu’au {time}.",
  "mail.introOnce": "Appuyez sur le bouton pour vous connecter à {app}. Il fonctionne une seule fois.",
  "mail.textIntro": "Ouvrez ce lien pour vous connecter à {app}. Il fonctionne une seule fois, jusqu’au {time}.",
  "mail.textIntroOnce": "Ouvrez ce lien pour vous connecter à {app}. Il fonctionne une seule fois.",
  "mail.button": "Se connecter",
  "mail.address": "Le bouton ne fonctionne pas ? Ouvrez cette adresse dans votre navigateur :",
  "mail.why": "Vous recevez cet e-mail parce que quelqu’un a saisi votre adresse sur {app} pour se connecter.",
  "mail.whyFrom":
    "Vous recevez cet e-mail parce que quelqu’un a saisi votre adresse sur {app} pour se connecter, depuis {device}.",
  "mail.notYou":
    "Si ce n’était pas vous, vous n’avez rien à faire : personne ne peut se connecter sans ce lien. Ne le transmettez à personne.",
  "device.both": "{browser} sur {system}",
}
