/** The texts in Spanish. */
import type { Texts } from "./texts.js"

/** All texts. */
export const es: Texts = {
  "action.signIn": "Iniciar sesión",
  "action.signOut": "Cerrar sesión",
  "action.continue": "Continuar",
  "action.backToSite": "Volver al sitio",
  incident: "Referencia: {id}",
  "list.or": "o",
  "signin.heading": "Iniciar sesión",
  "signin.headingApp": "Iniciar sesión en {app}",
  "signin.with": "Iniciar sesión con {provider}",
  "signin.continueWith": "Continuar con {provider}",
  "signin.emailLink": "Enviarme un enlace por correo",
  "signin.withPasskey": "Iniciar sesión con una llave de acceso",
  "signin.email": "Correo electrónico",
  "signin.password": "Contraseña",
  "signin.showPassword": "Mostrar contraseña",
  "signin.hidePassword": "Ocultar contraseña",
  "signin.lastUsed": "Último usado",
  "signin.moreWays": "Otras formas de iniciar sesión",
  "signin.forgotPassword": "¿Ha olvidado su contraseña?",
  "signin.createAccount": "¿Aún no tiene cuenta? Crear una cuenta",
  "signin.help": "Ayuda",
  "signin.terms": "Condiciones",
  "signin.privacy": "Privacidad",
  "signin.none": "No hay ningún método de inicio de sesión configurado.",
  "signin.cancelled": "El inicio de sesión se canceló o fue rechazado en el proveedor. No ha cambiado nada.",
  "signin.signedIn": "Ha iniciado sesión",
  "signin.account": "Su cuenta: {name}",
  "signin.addsService":
    "Si inicia sesión a continuación con otro servicio, se añadirá a esta cuenta. Para usar otra cuenta, cierre sesión primero.",
  "signin.addsPasskey":
    "Si inicia sesión a continuación con una llave de acceso, se añadirá a esta cuenta. Para usar otra cuenta, cierre sesión primero.",
  "signin.addsEither":
    "Si inicia sesión a continuación con otro servicio o con una llave de acceso, se añadirá a esta cuenta. Para usar otra cuenta, cierre sesión primero.",
  "signin.replaces": "Si inicia sesión a continuación, antes se cerrará la sesión de esta cuenta.",
  "signin.notAdded":
    "No se ha podido añadir esa cuenta a la suya: es posible que ya pertenezca a otro usuario. Su sesión sigue iniciada.",
  "signin.error.Signin": "No se ha podido empezar a iniciar sesión. Inténtelo de nuevo.",
  "signin.error.OAuthSignin":
    "No se puede contactar con este proveedor en este momento. Inténtelo de nuevo en unos instantes o elija otra forma de iniciar sesión.",
  "signin.error.OAuthCallbackError":
    "El proveedor no ha completado el inicio de sesión. Inténtelo de nuevo o elija otra forma.",
  "signin.error.OAuthCreateAccount":
    "No se ha podido crear su cuenta. Inténtelo de nuevo en unos instantes o elija otra forma de iniciar sesión.",
  "signin.error.EmailCreateAccount": "No se ha podido crear su cuenta. Solicite un nuevo enlace e inténtelo de nuevo.",
  "signin.error.Callback": "No se ha podido completar el inicio de sesión. Inténtelo de nuevo.",
  "signin.error.OAuthAccountNotLinked":
    "Anteriormente inició sesión con otro método. Utilícelo de nuevo para confirmar que es usted.",
  "signin.error.EmailSignin": "No se ha podido enviar el correo. Compruebe la dirección e inténtelo de nuevo.",
  "signin.error.CredentialsSignin": "Los datos no coinciden. Compruebe lo que ha introducido e inténtelo de nuevo.",
  "signin.error.SessionRequired": "Inicie sesión para ver esta página.",
  "signin.error.other": "No se ha podido iniciar sesión.",
  "signout.heading": "Cerrar sesión",
  "signout.question": "¿Quiere cerrar sesión?",
  "signout.questionNamed": "Ha iniciado sesión como {name}. ¿Quiere cerrar sesión?",
  "signout.stay": "Mantener la sesión iniciada",
  "signout.nobody": "No ha iniciado sesión",
  "signout.nothing": "En este navegador no hay ninguna sesión que cerrar.",
  "verify.heading": "Revise su correo",
  "verify.text":
    "Le hemos enviado un enlace para iniciar sesión. Funciona una sola vez; si no llega, revise la carpeta de correo no deseado.",
  "verify.textTo":
    "Hemos enviado un enlace para iniciar sesión a {email}. Funciona una sola vez; si no llega, revise la carpeta de correo no deseado.",
  "verify.again": "Enviar de nuevo",
  "verify.againIn": {
    one: "Podrá enviarlo de nuevo en {count} segundo.",
    other: "Podrá enviarlo de nuevo en {count} segundos.",
  },
  "verify.otherAddress": "Usar otra dirección",
  "verify.newLink": "Enviarme un nuevo enlace",
  "confirm.heading": "Confirme que es usted",
  "confirm.text": "Está a punto de iniciar sesión como {name}. Si no lo ha solicitado, cierre esta página.",
  "error.Configuration": "El inicio de sesión no funciona",
  "error.Configuration.text":
    "Se ha producido un error en este sitio. Sus responsables encontrarán los detalles en su registro.",
  "error.AccessDenied": "Acceso denegado",
  "error.AccessDenied.text": "No tiene permiso para iniciar sesión con esta cuenta.",
  "error.Verification": "Este enlace ya no es válido",
  "error.Verification.text": "Ya se ha utilizado o ha caducado. Solicite uno nuevo.",
  "error.other": "Se ha producido un error",
  "error.other.text": "No se ha podido completar la operación. Vuelva atrás e inténtelo de nuevo.",
  "error.notFound": "Página no encontrada",
  "error.notFound.text":
    "En esta dirección no hay ningún método de inicio de sesión. Puede que el enlace esté mal escrito o anticuado.",
  "error.tooMany": "Demasiados intentos",
  "error.tooMany.text":
    "Espere un poco e inténtelo de nuevo. Si los intentos anteriores no fueron suyos, su cuenta sigue a salvo.",
  "passkey.create": "Crear una llave de acceso",
  "passkey.needsScript": "Las llaves de acceso necesitan JavaScript.",
  "passkey.unsupported": "Este navegador no admite llaves de acceso.",
  "passkey.notStarted": "El servidor no ha empezado el inicio de sesión con llave de acceso.",
  "passkey.registered": "Este dispositivo ya tiene una llave de acceso para esta cuenta.",
  "passkey.notUsed": "No se ha usado ninguna llave de acceso. Inténtelo de nuevo o elija otra forma de iniciar sesión.",
  "passkey.failed": "La llave de acceso no ha funcionado. Inténtelo de nuevo o elija otra forma de iniciar sesión.",
  "passkey.followBrowser": "Siga los pasos que le indica su navegador.",
  "mail.subject": "Iniciar sesión en {app}",
  "mail.intro": "Pulse el botón para iniciar sesión en {app}. Funciona una sola vez, hasta el {time}.",
  "mail.introOnce": "Pulse el botón para iniciar sesión en {app}. Funciona una sola vez.",
  "mail.textIntro": "Abra este enlace para iniciar sesión en {app}. Funciona una sola vez, hasta el {time}.",
  "mail.textIntroOnce": "Abra este enlace para iniciar sesión en {app}. Funciona una sola vez.",
  "mail.button": "Iniciar sesión",
  "mail.address": "¿El botón no funciona? Abra esta dirección en su navegador:",
  "mail.why": "Recibe este correo porque alguien ha introducido su dirección en {app} para iniciar sesión.",
  "mail.whyFrom":
    "Recibe este correo porque alguien ha introducido su dirección en {app} para iniciar sesión, desde {device}.",
  "mail.notYou":
    "Si no ha sido usted, no tiene que hacer nada: nadie puede iniciar sesión sin este enlace. No lo comparta con nadie.",
  "device.both": "{browser} en {system}",
}
