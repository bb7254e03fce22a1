/** A city of the demo: its networks, as the packaged geography places them. */
export type DemoPlace = {
  /** ISO 3166-1; XX if unknown. */
  country: string
  city: string
  /** Hours that its clocks are ahead of UTC in winter. The demo has no summer time. */
  hoursAhead: number
  /** The share of scans that come from here. */
  weight: number
  /** IPv4 networks (/24) and IPv6 networks (/48), each as its first address. */
  networks: readonly string[]
  /** The first language of its browsers, with the share of each. */
  languages: readonly { tag: string; weight: number }[]
}

const english = { tag: 'en-US', weight: 1 }
const german = [{ tag: 'de-DE', weight: 8 }, english, { tag: 'tr-TR', weight: 1 }]
const french = [{ tag: 'fr-FR', weight: 9 }, english]
const british = [{ tag: 'en-GB', weight: 9 }, english]

/**
 * Networks of universities and of access providers. Nothing is ever sent there: a scan needs a
 * network that geography data can place. `demo-scans.test.ts` compares them with the packaged data.
 */
export const demoPlaces: readonly DemoPlace[] = [
  {
    country: 'DE',
    city: 'Berlin',
    hoursAhead: 1,
    weight: 30,
    networks: ['176.0.252.0', '89.13.64.0', '141.20.32.0', '160.45.12.0', '2a02:8108:1::'],
    languages: german,
  },
  {
    country: 'DE',
    city: 'Hamburg',
    hoursAhead: 1,
    weight: 14,
    networks: ['77.6.32.0', '95.119.68.0', '93.252.124.0', '131.169.244.0'],
    languages: german,
  },
  {
    country: 'DE',
    city: 'Munich',
    hoursAhead: 1,
    weight: 9,
    networks: ['2.240.48.0', '5.4.136.0', '77.4.108.0', '2001:a61:1::'],
    languages: german,
  },
  {
    country: 'DE',
    city: 'Leipzig',
    hoursAhead: 1,
    weight: 6,
    networks: ['2.163.204.0', '139.18.132.0', '141.57.60.0'],
    languages: german,
  },
  {
    country: 'AT',
    city: 'Vienna',
    hoursAhead: 1,
    weight: 8,
    networks: ['46.220.192.0', '84.112.80.0', '213.47.96.0'],
    languages: [{ tag: 'de-AT', weight: 9 }, english],
  },
  {
    country: 'CH',
    city: 'Zurich',
    hoursAhead: 1,
    weight: 4,
    networks: ['176.127.248.0'],
    languages: [{ tag: 'de-CH', weight: 7 }, { tag: 'fr-CH', weight: 1 }, english],
  },
  {
    country: 'GB',
    city: 'London',
    hoursAhead: 0,
    weight: 8,
    networks: ['161.23.188.0', '195.157.168.0', '2a00:23c4:1::'],
    languages: british,
  },
  {
    country: 'GB',
    city: 'Manchester',
    hoursAhead: 0,
    weight: 2,
    networks: ['130.88.200.0'],
    languages: british,
  },
  {
    country: 'FR',
    city: 'Paris',
    hoursAhead: 1,
    weight: 5,
    networks: ['79.88.48.0', '93.14.148.0', '82.250.92.0', '2a01:cb00:1::'],
    languages: french,
  },
  {
    country: 'FR',
    city: 'Lyon',
    hoursAhead: 1,
    weight: 1.5,
    networks: ['176.177.220.0', '90.38.196.0'],
    languages: french,
  },
  {
    country: 'NL',
    city: 'Amsterdam',
    hoursAhead: 1,
    weight: 4,
    networks: ['145.18.236.0', '213.127.32.0'],
    languages: [{ tag: 'nl-NL', weight: 7 }, english],
  },
  {
    country: 'DK',
    city: 'Copenhagen',
    hoursAhead: 1,
    weight: 3,
    networks: ['77.212.208.0', '2.109.8.0'],
    languages: [{ tag: 'da-DK', weight: 8 }, english],
  },
  {
    country: 'ES',
    city: 'Madrid',
    hoursAhead: 1,
    weight: 1.5,
    networks: ['95.18.188.0', '80.34.112.0'],
    languages: [{ tag: 'es-ES', weight: 9 }, english],
  },
  {
    country: 'ES',
    city: 'Barcelona',
    hoursAhead: 1,
    weight: 1.5,
    networks: ['80.173.88.0', '83.46.220.0'],
    languages: [{ tag: 'es-ES', weight: 6 }, { tag: 'ca-ES', weight: 3 }, english],
  },
  {
    country: 'IT',
    city: 'Milan',
    hoursAhead: 1,
    weight: 2,
    networks: ['93.47.232.0', '78.220.128.0'],
    languages: [{ tag: 'it-IT', weight: 9 }, english],
  },
  {
    country: 'PL',
    city: 'Warsaw',
    hoursAhead: 1,
    weight: 1.5,
    networks: ['93.154.180.0', '46.134.204.0'],
    languages: [{ tag: 'pl-PL', weight: 9 }, english],
  },
  {
    country: 'US',
    city: 'New York',
    hoursAhead: -5,
    weight: 2,
    networks: ['128.59.168.0', '173.210.40.0'],
    languages: [
      { tag: 'en-US', weight: 8 },
      { tag: 'es-US', weight: 1 },
    ],
  },
  {
    country: 'US',
    city: 'San Francisco',
    hoursAhead: -8,
    weight: 1,
    networks: ['136.26.204.0', '128.218.84.0'],
    languages: [
      { tag: 'en-US', weight: 9 },
      { tag: 'zh-CN', weight: 1 },
    ],
  },
  {
    country: 'CA',
    city: 'Toronto',
    hoursAhead: -5,
    weight: 0.8,
    networks: ['142.150.12.0'],
    languages: [
      { tag: 'en-CA', weight: 9 },
      { tag: 'fr-CA', weight: 1 },
    ],
  },
  {
    // A network for documents (RFC 5737): no geography data has it.
    country: 'XX',
    city: 'Unknown',
    hoursAhead: 1,
    weight: 0.7,
    networks: ['192.0.2.0'],
    languages: [
      { tag: 'de-DE', weight: 1 },
      { tag: '', weight: 1 },
    ],
  },
]
