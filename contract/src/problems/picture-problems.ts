/** Problems of pictures, labels and styles. */
export const pictureProblems = {
  pictureTooSmallFor: 'must be at least {min} for this code with a margin of {margin}, got {got}',
  contentTooLong: 'must have at most {max} bytes in a picture at level {level}, has {got}',
  textTooLongForLevel: 'the text is too long for a QR code at level {level}',
  notDirectContent:
    'must be dynamic: a code of type {type} has no content that a phone understands without this service',
  pixelsOutside: 'must result in {min} to {max} pixels at {dpi} dpi, got {got}',
  onlyForPrint: 'requires the format pdf or eps',

  startBeyondSheet: 'must be at most {max}, the number of labels on a sheet, got {got}',
  tooManyCopies: 'must be at most {max} for {codes} codes, for {labels} labels in total, got {got}',
  /** `id` is a text as JSON. */
  noCodeWithId: 'no code with the id {id} exists in this organization',
  codeMmBeyondLabel: 'must be at most {max}, the largest width that fits this label, got {got}',
  codeMmTooSmall: 'would be {got} mm wide, must be at least {min} mm to be read',
  labelTooSmall: 'would be {got} mm wide, must be at least {min} mm to be read: use a larger label',
  labelTooSmallWithCaption:
    'would be {got} mm wide, must be at least {min} mm to be read: use a larger label or no caption',

  captionNotDrawable: 'must be in Latin, Greek or Cyrillic letters, cannot draw {characters}',
  logoTooLarge: 'must have at most {max} MiB',
  notLogoFormat: 'must be a PNG, JPEG or WebP picture',
  logoSidesTooLong: 'must have sides of at most {max} pixels, got {width} × {height}',
  logoIncomplete: 'must be a complete picture; this one cannot be decoded',
  logoTooManyPixels: 'must have at most {max} million pixels',

  colorTooLight:
    '{color} must be darker than the background {background}, with a contrast of at least {min}:1, got {got}:1',
  frameTooLight:
    '{color} must not be lighter than the background {background}: otherwise readers take the background for dark',
  frameTooClose:
    'must be at least {min} inside a frame, got {got}: otherwise readers take the frame for a part of the code',
  pictureUnread: 'its picture could not be read back ({conditions})',
  styleContrastTooLow: 'a reader could not tell the modules from the background',
  styleFrameTooLight: 'its frame is lighter than its background',
  styleFrameTooClose: 'its frame is too close to the code',

  styleTimeUsed: 'This organization has used its time for checking styles. Try again in {seconds} s.',
  styleChecksWait:
    'This organization already has {count} checks of styles waiting. Try again in {seconds} s.',
  /** Why a print needs its width; `read` is the fewest pixels per module that a reader needed. */
  printWidthByReading:
    "{modules} modules across with margin and frame, each {moduleMm} mm wide: at {distanceMm} mm that is {pixels} pixels of a phone's camera; a still picture of this style was read with {read}.",
  printWidthUnread:
    "{modules} modules across with margin and frame, each {moduleMm} mm wide: at {distanceMm} mm that is {pixels} pixels of a phone's camera.",
  styleNotChecked: 'This style could not be checked in time. Try again in a moment.',
} as const
