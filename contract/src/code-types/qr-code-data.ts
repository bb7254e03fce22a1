import { Type, type Static } from 'typebox'
import { Line, OptionalLine, Text, Url, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { keysOf } from '../schema/records.ts'

const { nameCharsMax, textCharsMax } = limits
const Email = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: limits.emailCharsMax, pattern: patterns.email })
const Phone = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: limits.phoneCharsMax, pattern: patterns.phone })

/** Content of a URL code: a link to a website or web page. */
export const UrlData = strictObject(
  { url: Url('Where a scan is sent: http or https, at most 2,048 characters.') },
  { description: 'Content of type URL.', examples: [{ url: 'https://example.com/spring' }] },
)
export type UrlData = Static<typeof UrlData>

/** Content of a VCARD code: contact information. */
export const VcardData = strictObject(
  {
    firstName: Line(nameCharsMax, 'Given name.'),
    lastName: Line(nameCharsMax, 'Family name.'),
    email: Type.Optional(Email('E-mail address.')),
    phone: Type.Optional(Phone('Phone number.')),
    company: Type.Optional(OptionalLine(nameCharsMax, 'Company or organization.')),
    title: Type.Optional(OptionalLine(nameCharsMax, 'Job title.')),
    website: Type.Optional(Url('Web page: http or https.')),
    address: Type.Optional(
      strictObject({
        street: Type.Optional(OptionalLine(nameCharsMax, 'Street and number.')),
        city: Type.Optional(OptionalLine(nameCharsMax, 'City.')),
        state: Type.Optional(OptionalLine(nameCharsMax, 'State or region.')),
        zip: Type.Optional(OptionalLine(nameCharsMax, 'Postal code.')),
        country: Type.Optional(OptionalLine(nameCharsMax, 'Country.')),
      }),
    ),
    note: Type.Optional(Text(textCharsMax, 'Anything else; line breaks are kept.')),
  },
  {
    description: 'Content of type VCARD.',
    examples: [
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0000' },
    ],
  },
)
export type VcardData = Static<typeof VcardData>

export const wifiEncryptions = ['WPA', 'WEP', 'nopass'] as const

/** Content of a WIFI code: how to join a network. */
export const WifiData = strictObject(
  {
    ssid: Type.String({
      description: 'Name of the network. 802.11 allows 32 bytes.',
      minLength: 1,
      maxLength: 32,
      pattern: patterns.text,
    }),
    password: Type.Optional(OptionalLine(100, 'Password of the network.')),
    encryption: Type.Optional(
      oneOf(wifiEncryptions, {
        description: 'WPA (also WPA2, WPA3) with a password and nopass without, unless given.',
      }),
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'Whether the network hides its name.' })),
  },
  {
    description: 'Content of type WIFI.',
    examples: [{ ssid: 'Guests', password: 'welcome-2026', encryption: 'WPA' }],
  },
)
export type WifiData = Static<typeof WifiData>

/** The encryption of a network: as given, else WPA with a password and nopass without. */
export function wifiEncryption({ encryption, password }: WifiData): (typeof wifiEncryptions)[number] {
  return encryption ?? (password ? 'WPA' : 'nopass')
}

/** Content of a PDF code: a link to a PDF document. */
export const PdfData = strictObject(
  { url: Url('Address of the document: http or https.') },
  { description: 'Content of type PDF.', examples: [{ url: 'https://example.com/manual.pdf' }] },
)
export type PdfData = Static<typeof PdfData>

/** Content of an EMAIL code: a pre-filled e-mail. */
export const EmailData = strictObject(
  {
    email: Email('Who it goes to.'),
    subject: Type.Optional(OptionalLine(nameCharsMax, 'Subject line.')),
    body: Type.Optional(Text(textCharsMax, 'Text of the message.')),
  },
  {
    description: 'Content of type EMAIL.',
    examples: [{ email: 'hello@example.com', subject: 'A question' }],
  },
)
export type EmailData = Static<typeof EmailData>

/** Content of an SMS code: a pre-filled text message. */
export const SmsData = strictObject(
  { phone: Phone('Number it goes to.'), message: Type.Optional(Text(textCharsMax, 'Text of the message.')) },
  { description: 'Content of type SMS.', examples: [{ phone: '+49 30 123456', message: 'Call me back' }] },
)
export type SmsData = Static<typeof SmsData>

/** Content of a PHONE code: a direct call. */
export const PhoneData = strictObject(
  { phone: Phone('Number to call.') },
  { description: 'Content of type PHONE.', examples: [{ phone: '+49 30 123456' }] },
)
export type PhoneData = Static<typeof PhoneData>

/** Content of a TEXT code: plain text. */
export const TextData = strictObject(
  { text: Text(textCharsMax, 'The text.', { minLength: 1 }) },
  { description: 'Content of type TEXT.', examples: [{ text: 'The meeting is in room 12.' }] },
)
export type TextData = Static<typeof TextData>

/** Content of a MENU code: the address of a menu, or a menu written out. `qrCodeDataProblems` asks for one of the two. */
export const MenuData = strictObject(
  {
    url: Type.Optional(
      Url('Address of a menu that exists: http or https. Either this, or title with sections.'),
    ),
    title: Type.Optional(Line(nameCharsMax, 'Name of the restaurant or menu.')),
    sections: Type.Optional(
      Type.Array(
        strictObject({
          name: Line(nameCharsMax, 'Name of the section.'),
          items: Type.Array(
            strictObject({
              name: Line(nameCharsMax, 'Name of the dish.'),
              description: Type.Optional(Text(limits.descriptionCharsMax, 'What it is.')),
              price: Type.Optional(
                Type.Number({ description: 'Price in units of the currency.', minimum: 0, maximum: 1e9 }),
              ),
              currency: Type.Optional(
                Line(10, 'ISO 4217 code, or the sign as it is printed.', { examples: ['EUR'] }),
              ),
            }),
            { maxItems: limits.menuItemsMax },
          ),
        }),
        { minItems: 1, maxItems: limits.menuSectionsMax },
      ),
    ),
  },
  {
    description: 'Content of type MENU: url, or title with sections.',
    examples: [
      { url: 'https://example.com/menu' },
      {
        title: 'Trattoria',
        sections: [{ name: 'Pasta', items: [{ name: 'Cacio e pepe', price: 12.5, currency: 'EUR' }] }],
      },
    ],
  },
)
export type MenuData = Static<typeof MenuData>

/** Content of an APP code: store links, one at least. */
export const AppData = strictObject(
  {
    iosUrl: Type.Optional(Url('Address in the App Store.')),
    androidUrl: Type.Optional(Url('Address in Google Play.')),
    fallbackUrl: Type.Optional(Url('Where every other device goes.')),
  },
  {
    description: 'Content of type APP: one link at least.',
    examples: [
      {
        iosUrl: 'https://apps.apple.com/app/id1',
        androidUrl: 'https://play.google.com/store/apps/details?id=a.b',
      },
    ],
  },
)
export type AppData = Static<typeof AppData>

/** Content of a VIDEO code: a link to a video. */
export const VideoData = strictObject(
  { url: Url('Address of the video: http or https.') },
  { description: 'Content of type VIDEO.', examples: [{ url: 'https://example.com/film' }] },
)
export type VideoData = Static<typeof VideoData>

/** Content of a SOCIAL code: links to profiles. */
export const SocialData = strictObject(
  {
    title: Type.Optional(Line(nameCharsMax, 'Headline of the page.')),
    links: Type.Array(
      strictObject({
        platform: Line(50, 'Which network.', { examples: ['instagram'] }),
        url: Url('Address of the profile: http or https.'),
        label: Type.Optional(OptionalLine(nameCharsMax, 'What the link says.')),
      }),
      { minItems: 1, maxItems: limits.socialLinksMax },
    ),
  },
  {
    description: 'Content of type SOCIAL.',
    examples: [
      { title: 'Follow us', links: [{ platform: 'instagram', url: 'https://instagram.com/example' }] },
    ],
  },
)
export type SocialData = Static<typeof SocialData>

/** The content schema of every type, by type. */
export const qrCodeDataSchemas = {
  URL: UrlData,
  VCARD: VcardData,
  WIFI: WifiData,
  PDF: PdfData,
  EMAIL: EmailData,
  SMS: SmsData,
  PHONE: PhoneData,
  TEXT: TextData,
  MENU: MenuData,
  APP: AppData,
  VIDEO: VideoData,
  SOCIAL: SocialData,
} as const

/** The types of QR code. */
export type QrCodeType = keyof typeof qrCodeDataSchemas
export const qrCodeTypes: readonly QrCodeType[] = keysOf(qrCodeDataSchemas)

export const QrCodeType = oneOf(qrCodeTypes, {
  description: 'What the code is for.',
})

/** The content by type: `QrCodeDataByType['WIFI']`. */
export type QrCodeDataByType = { [T in QrCodeType]: Static<(typeof qrCodeDataSchemas)[T]> }
export type QrCodeData = QrCodeDataByType[QrCodeType]
