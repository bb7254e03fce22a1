import type { passkeysWords as English } from '../passkeys-words.ts'

/** Spanish. */
export const passkeysWords: typeof English = {
  or: 'o',
  signIn: 'Iniciar sesión con una llave de acceso',
  title: 'Llaves de acceso',
  text: 'Inicie sesión con la huella, la cara o el PIN de su dispositivo en lugar de una contraseña. Una llave de acceso se queda en el dispositivo o en su gestor de contraseñas. Su huella o su cara no salen nunca del dispositivo.',
  offHere:
    'Las llaves de acceso no funcionan en la dirección de esta instalación. Los navegadores solo las permiten en direcciones que empiezan por https y tienen un nombre, como https://qr.example.com. El operador puede cambiarlo.',
  noBrowser:
    'Este navegador no tiene llaves de acceso en esta dirección. Abra el panel por https, o use otro navegador.',
  none: 'Aún no tiene llaves de acceso.',
  first:
    'En cuanto tenga una, al iniciar sesión con su contraseña se pedirá también una llave de acceso, o uno de los códigos de recuperación que recibirá.',
  add: 'Añadir una llave de acceso',
  added: (name) => `«${name}» se ha añadido.`,
  here: 'Este dispositivo',
  elsewhere: 'Llave de seguridad o teléfono',
  backedUp: 'Guardada en un gestor de contraseñas',
  notBackedUp: 'Solo en un dispositivo',
  addedWhen: (when) => `añadida ${when}`,
  neverUsed: 'aún sin usar',
  rename: 'Cambiar nombre',
  renameLabel: (name) => `Cambiar el nombre de ${name}`,
  renameTitle: 'Cambiar el nombre de la llave de acceso',
  remove: 'Quitar',
  removeLabel: (name) => `Quitar ${name}`,
  removeTitle: (name) => `¿Quitar «${name}»?`,
  removeText:
    'Ya no podrá iniciar sesión con ella. Elimínela también en su dispositivo, o el navegador seguirá ofreciéndola.',
  removeLast:
    'Es su último segundo factor: después, bastará su contraseña para iniciar sesión, y sus códigos de recuperación dejarán de funcionar.',
  removeAction: 'Quitar llave de acceso',
  cancelled: 'No se usó ninguna llave de acceso: la ventana se cerró o tardó demasiado. Inténtelo de nuevo.',
  alreadyThere: 'Este dispositivo ya tiene una llave de acceso para su cuenta.',
  wrongAddress: (host) => `Las llaves de acceso solo funcionan en ${host}. Abra el panel allí.`,
  unsuitable:
    'Este dispositivo no puede guardar una llave de acceso que pida huella, cara o PIN. Pruebe con otro.',
  failed: 'El navegador no pudo usar una llave de acceso. Inténtelo de nuevo, o inicie sesión de otra forma.',
}
