import {
  codeType,
  isPageType,
  qrCodeTypes,
  type PageType,
  type QrCodeDataByType,
} from '@everscan/contract/code-types/code-types.ts'
import sharp from 'sharp'
import { pageColors } from '../page-colors.ts'
import type { Brand, PageCode } from '../page-content.ts'

type SampleOf<T extends PageType> = { type: T; name: string; data: QrCodeDataByType[T] }
type Sample = { [T in PageType]: SampleOf<T> }[PageType]
type SampleOfEach = { readonly [T in PageType as Lowercase<T>]: SampleOf<T> }
/** One sample of each type, by the type in lower case, and others. */
type Samples = SampleOfEach & Readonly<Record<string, Sample>>

/** The example of each type, for those that need no other sample. */
const examples = Object.fromEntries(
  qrCodeTypes.filter(isPageType).map((type) => {
    const { examples: [data] = [] } = codeType(type).schema as { examples?: readonly object[] }
    return [type.toLowerCase(), { type, name: type, data }]
  }),
) as unknown as SampleOfEach

const dishes = (names: readonly string[], currency: string) =>
  names.map((name, at) => ({
    name,
    price: 8.5 + 3 * at,
    currency,
    ...(at % 2 === 0 && {
      description: `${name}, as we have made it since 1962, with herbs of our own garden.`,
    }),
  }))

/** A code of every type that has a page, in English. */
export const englishSamples: Samples = {
  ...examples,
  vcard: {
    type: 'VCARD',
    name: 'Card of Ada',
    data: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      title: 'Mathematician',
      company: 'Analytical Engines Ltd',
      phone: '+44 20 7946 0123',
      email: 'ada@example.com',
      website: 'https://www.example.com/ada',
      address: { street: '12 St James’s Square', city: 'London', zip: 'SW1Y 4JH', country: 'United Kingdom' },
      note: 'Mornings are best.\nAsk for the Difference Engine.',
    },
  },
  'vcard-short': { type: 'VCARD', name: 'Card', data: { firstName: 'Li', lastName: 'Wei', phone: '12345' } },
  wifi: {
    type: 'WIFI',
    name: 'Wi-Fi of the lobby',
    data: { ssid: 'Trattoria Guests', password: 'basilico-2026', encryption: 'WPA' },
  },
  'wifi-open': { type: 'WIFI', name: 'Wi-Fi', data: { ssid: 'Open Library', hidden: true } },
  email: {
    type: 'EMAIL',
    name: 'Feedback',
    data: {
      email: 'hello@example.com',
      subject: 'A question about tonight',
      body: 'Good evening,\n\nis there a table for two?',
    },
  },
  sms: {
    type: 'SMS',
    name: 'Taxi',
    data: { phone: '+49 30 123456', message: 'A taxi to the hotel, please' },
  },
  text: {
    type: 'TEXT',
    name: 'Room 12',
    data: {
      text: 'Breakfast is from 7 to 10:30.\nThe key box is at the back door, code 4711.\n\nWi-Fi: see the card on the desk.',
    },
  },
  menu: {
    type: 'MENU',
    name: 'Menu',
    data: {
      title: 'Trattoria da Lucia',
      phone: '+44 20 7946 0123',
      bookingUrl: 'https://book.example/lucia',
      address: { street: '12 St James’s Square', city: 'London', zip: 'SW1Y 4JH' },
      openingHours: [
        { days: ['TU', 'WE', 'TH', 'FR'], from: '12:00', to: '14:30' },
        { days: ['TU', 'WE', 'TH', 'FR', 'SA'], from: '18:00', to: '23:00' },
      ],
      languages: ['en', 'it', 'ar'],
      translations: [{ language: 'it', title: 'Da Lucia' }],
      sections: [
        {
          name: 'Antipasti',
          translations: [
            { language: 'it', name: 'Antipasti' },
            { language: 'ar', name: 'مقبلات' },
          ],
          items: [
            {
              name: 'Grilled aubergines with buffalo mozzarella, tomatoes of our garden and old balsamic vinegar',
              description: 'For two.',
              price: 6.5,
              currency: 'EUR',
              diets: ['vegetarian', 'gluten-free'],
              allergens: ['milk', 'sulphites'],
              translations: [
                {
                  language: 'it',
                  name: 'Melanzane alla griglia con mozzarella di bufala',
                  description: 'Per due.',
                },
                { language: 'ar', name: 'باذنجان مشوي مع جبن الموزاريلا' },
              ],
            },
            ...dishes(['Bruschetta', 'Vitello tonnato', 'Burrata'], 'EUR'),
          ],
        },
        {
          name: 'Pasta',
          items: dishes(['Cacio e pepe', 'Orecchiette with turnip greens', 'Lasagne'], 'EUR'),
        },
        { name: 'Secondi', items: dishes(['Saltimbocca alla romana', 'Branzino'], 'EUR') },
        { name: 'Dolci', items: dishes(['Tiramisù', 'Panna cotta'], 'EUR') },
      ],
    },
  },
  social: {
    type: 'SOCIAL',
    name: 'Follow',
    data: {
      title: 'Trattoria da Lucia',
      links: [
        { platform: 'website', url: 'https://example.com', label: 'Our website' },
        { platform: 'instagram', url: 'https://instagram.com/example' },
        { platform: 'tiktok', url: 'https://tiktok.com/@example', label: '@trattoria.lucia' },
        { platform: 'LinkedIn', url: 'https://linkedin.com/company/example' },
        { platform: 'Tripadvisor', url: 'https://tripadvisor.com/example', label: 'Read what guests say' },
      ],
    },
  },
  app: {
    type: 'APP',
    name: 'Lucia Reservations',
    data: {
      iosUrl: 'https://apps.apple.com/app/id1',
      androidUrl: 'https://play.google.com/store/apps/details?id=a.b',
    },
  },
}

/** The same in Arabic, which shows the direction of a page. */
export const arabicSamples: Samples = {
  ...examples,
  vcard: {
    type: 'VCARD',
    name: 'بطاقة',
    data: {
      firstName: 'ليلى',
      lastName: 'حداد',
      title: 'مهندسة معمارية',
      company: 'مكتب النخيل',
      phone: '+971 4 123 4567',
      email: 'layla@example.com',
      website: 'https://example.com',
      address: { street: 'شارع الزيتون 5', city: 'دبي' },
    },
  },
  wifi: { type: 'WIFI', name: 'شبكة', data: { ssid: 'مقهى الياسمين', password: 'yasmin-2026' } },
  email: {
    type: 'EMAIL',
    name: 'بريد',
    data: { email: 'hello@example.com', subject: 'سؤال', body: 'مساء الخير\nهل هناك طاولة؟' },
  },
  sms: { type: 'SMS', name: 'رسالة', data: { phone: '+971 4 123 4567', message: 'أريد سيارة أجرة' } },
  phone: { type: 'PHONE', name: 'الاستقبال', data: { phone: '+971 4 123 4567' } },
  text: { type: 'TEXT', name: 'الغرفة 12', data: { text: 'الإفطار من 7 إلى 10:30.\nCode 4711\nأهلًا وسهلًا.' } },
  menu: {
    type: 'MENU',
    name: 'قائمة',
    data: {
      title: 'مطعم الأرز',
      phone: '+971 4 123 4567',
      bookingUrl: 'https://book.example/arz',
      openingHours: [{ days: ['MO', 'TU', 'WE', 'TH', 'SA', 'SU'], from: '12:00', to: '00:00' }],
      languages: ['ar', 'en'],
      sections: [
        {
          name: 'المقبلات',
          translations: [{ language: 'en', name: 'Starters' }],
          items: [
            ...dishes(['حمص', 'تبولة'], 'AED'),
            { name: 'فلافل', price: 9.5, currency: 'AED', diets: ['vegan'], allergens: ['sesame', 'gluten'] },
          ],
        },
        { name: 'المشاوي', items: dishes(['كباب', 'شيش طاووق'], 'AED') },
      ],
    },
  },
  social: {
    type: 'SOCIAL',
    name: 'تابعونا',
    data: {
      links: [
        { platform: 'instagram', url: 'https://instagram.com/example', label: 'مطعم الأرز' },
        { platform: 'x', url: 'https://x.com/a' },
      ],
    },
  },
  app: {
    type: 'APP',
    name: 'تطبيق الأرز',
    data: { iosUrl: 'https://apps.apple.com/app/id1', androidUrl: 'https://play.google.com/a' },
  },
}

/** Returns a brand as a restaurant might have it: a name and a logo of 160 × 96 pixels. */
export async function sampleBrand(): Promise<Brand> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="96"><rect width="160" height="96" rx="20" fill="#9A3412"/><circle cx="48" cy="48" r="26" fill="#FDE68A"/><path d="M88 70V26h12v34h28v10z" fill="#FFF7ED"/></svg>`
  const webp = await sharp(Buffer.from(svg)).webp({ quality: 90 }).toBuffer()
  const dataUri = `data:image/webp;base64,${webp.toString('base64')}`
  return { name: 'Trattoria da Lucia', logo: { dataUri, widthPx: 160, heightPx: 96 } }
}

/** Returns a wide photo, as a restaurant might show it above its menu. */
export async function samplePhoto(): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="450"><defs><linearGradient id="a" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#7C2D12"/><stop offset="1" stop-color="#F59E0B"/></linearGradient></defs><rect width="900" height="450" fill="url(#a)"/><circle cx="450" cy="240" r="150" fill="#FFF7ED"/><circle cx="450" cy="240" r="105" fill="#DC2626"/></svg>`
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

/** Returns a code in the form that its page is rendered from. */
export function samplePage(
  { type, name, data }: { type: PageType; name: string; data: object },
  { style = {}, brand = {} }: { style?: unknown; brand?: Brand } = {},
): PageCode {
  return { type, name, data: { ...data }, colors: pageColors(style), brand, contactPath: '/7K3QX9A.vcf' }
}
