import type { MailInterval, SharedView } from '@everscan/contract/views/views.ts'

/** The parts of a view's mail besides its figures. */
export type ViewMailAround = {
  every: MailInterval
  setUpBy: string
  /** The public link, or else the view in the dashboard. */
  url: string
  isPublic: boolean
  leaveUrl: string
}

type Row = { name: string; scans: number; percentage: number }
type Section = { title: string; rows: readonly Row[] }

const rowsMax = 5
/** A mail is no place for a longer timeline: bars of single days would be too small to see. */
const bucketsMax = 31
const numbers = new Intl.NumberFormat('en-GB')
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const shortDates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const countryNames = new Intl.DisplayNames('en', { type: 'region' })
const filterNames = [
  ['country', 'Country'],
  ['region', 'Region'],
  ['city', 'City'],
  ['deviceType', 'Device'],
  ['os', 'Operating system'],
  ['browser', 'Browser'],
  ['referrer', 'Referrer'],
  ['rule', 'Rule'],
  ['arm', 'Arm'],
] as const
const deviceNames = { mobile: 'Phone', desktop: 'Computer', tablet: 'Tablet' } as const

/** Writes the mail of a view, as text and as HTML that loads and runs nothing. */
export function viewMail(view: SharedView, around: ViewMailAround) {
  return {
    subject: `${view.name}: ${numbers.format(view.summary.totalScans)} scans, ${periodOf(view)}`,
    text: textOf(view, around),
    html: htmlOf(view, around),
  }
}

function textOf(view: SharedView, around: ViewMailAround): string {
  const lines = [
    view.name,
    `${view.organization.name} · ${periodOf(view)}`,
    ...scopeOf(view),
    '',
    ...summaryOf(view).map(({ title, value }) => `${title}: ${value}`),
    ...sectionsOf(view).flatMap(({ title, rows }) => [
      '',
      title,
      ...rows.map(
        ({ name, scans, percentage }) => `  ${name}: ${numbers.format(scans)} (${percentText(percentage)})`,
      ),
    ]),
    '',
    around.isPublic ? 'Open these figures:' : 'Open these figures (you need an account):',
    around.url,
    '',
    ...footerOf(view, around),
    around.leaveUrl,
  ]
  return `${lines.join('\n')}\n`
}

function htmlOf(view: SharedView, around: ViewMailAround): string {
  const { summary, organization } = view
  const scope = scopeOf(view)
  const cell = 'padding:12px 14px;border:1px solid #e2e2dd;border-radius:8px'
  const body = html`
    <p style="margin:0;color:#5c6068;font-size:14px">${organization.name}</p>
    <h1 style="margin:4px 0 0;font-size:22px">${view.name}</h1>
    <p style="margin:4px 0 20px;color:#5c6068;font-size:14px">${[periodOf(view), ...scope].join(' · ')}</p>
    <table role="presentation" width="100%" cellspacing="6" cellpadding="0">
      <tr>
        ${summaryOf(view).map(
          ({ title, value }) =>
            html`<td style="${cell}">
              <span style="color:#5c6068;font-size:13px">${title}</span><br /><strong style="font-size:22px"
                >${value}</strong
              >
            </td>`,
        )}
      </tr>
    </table>
    ${summary.totalScans === 0 ? html`<p>No scans in this period.</p>` : sectionsOf(view).map(sectionHtml)}
    <p style="margin:24px 0">
      <a
        href="${around.url}"
        style="background:#0f5f4e;color:#ffffff;padding:10px 16px;border-radius:8px;text-decoration:none"
        >Open these figures</a
      >
    </p>
    <p style="color:#5c6068;font-size:13px">
      ${footerOf(view, around).join(' ')}
      <a href="${around.leaveUrl}" style="color:#0f5f4e">Stop these mails</a>
    </p>
  `
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${view.name}</title>
      </head>
      <body style="margin:0;padding:24px;color:#1b1c1e;font-family:Arial,Helvetica,sans-serif;font-size:15px">
        <div style="max-width:600px;margin:0 auto">${body}</div>
      </body>
    </html>`.text
}

function sectionHtml({ title, rows }: Section): Html {
  const most = Math.max(1, ...rows.map(({ scans }) => scans))
  return html`
    <h2 style="margin:24px 0 6px;font-size:16px">${title}</h2>
    <table width="100%" cellspacing="0" cellpadding="4" style="border-collapse:collapse;font-size:14px">
      ${rows.map(
        ({ name, scans, percentage }) =>
          html`<tr>
            <th scope="row" align="left" width="34%" style="font-weight:normal">${name}</th>
            <td>
              <table role="presentation" width="100%" cellspacing="0" cellpadding="0">
                <tr>
                  ${barHtml(Math.round((100 * scans) / most))}
                </tr>
              </table>
            </td>
            <td align="right" width="14%">${numbers.format(scans)}</td>
            <td align="right" width="12%" style="color:#5c6068">${percentText(percentage)}</td>
          </tr>`,
      )}
    </table>
  `
}

/** Mail programs draw the colors of table cells, but neither pictures nor most styles. */
function barHtml(percent: number): Html {
  const bar = html`<td width="${String(percent)}%" bgcolor="#0f5f4e" style="font-size:8px;line-height:10px">
    &nbsp;
  </td>`
  if (percent === 0) return html`<td></td>`
  return percent === 100
    ? bar
    : html`${bar}
        <td></td>`
}

function summaryOf({ summary }: SharedView) {
  return [
    { title: 'Scans', value: numbers.format(summary.totalScans) },
    { title: 'Unique scans', value: numbers.format(summary.uniqueScans) },
    { title: 'Scans per day', value: numbers.format(summary.avgDailyScans) },
  ]
}

function sectionsOf({
  summary: { totalScans },
  timeline,
  interval,
  topQrCodes,
  destinations = [],
  geography,
  devices,
}: SharedView): Section[] {
  const shareOf = (scans: number) => (totalScans === 0 ? 0 : Math.round((1000 * scans) / totalScans) / 10)
  const isShort = timeline.length <= bucketsMax && interval !== 'hour'
  const overTime = timeline.map(({ date, scans }) => ({
    name: interval === 'month' ? months.format(Date.parse(date)) : shortDates.format(Date.parse(date)),
    scans,
    percentage: shareOf(scans),
  }))
  const sections = [
    { title: 'Scans over time', rows: isShort ? overTime : [] },
    { title: 'Most scanned codes', rows: (topQrCodes ?? []).slice(0, 2 * rowsMax) },
    {
      title: 'Destinations',
      rows: destinations.slice(0, 2 * rowsMax).map(({ name, arm, ...row }) => ({
        name: name === null ? 'No rule' : [name, arm].filter((part) => part !== null).join(' · '),
        ...row,
      })),
    },
    {
      title: 'Countries',
      rows: geography.countries
        .slice(0, rowsMax)
        .map(({ country, ...row }) => ({ name: countryName(country), ...row })),
    },
    {
      title: 'Cities',
      rows: geography.cities
        .slice(0, rowsMax)
        .map(({ city, scans }) => ({ name: city, scans, percentage: shareOf(scans) })),
    },
    {
      title: 'Devices',
      rows: devices.types.map(({ type, ...row }) => ({ name: deviceNames[type], ...row })),
    },
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

function periodOf({ days: { startDate, endDate } }: SharedView): string {
  return dates.formatRange(Date.parse(startDate), Date.parse(endDate))
}

/** Says which codes and scans the figures count; nothing if they count all. */
function scopeOf({ scope }: SharedView): string[] {
  const { qrCode, folder, tags, type, qrCodes, filters } = scope
  return [
    ...(qrCode === undefined ? [] : [`Code: ${qrCode}`]),
    ...(folder === undefined ? [] : [folder === null ? 'Codes without a folder' : `Folder: ${folder}`]),
    ...(tags === undefined || tags.length === 0 ? [] : [`Tags: ${tags.join(', ')}`]),
    ...(type === undefined ? [] : [`Type: ${type}`]),
    ...(qrCodes === undefined ? [] : [`${qrCodes} chosen codes`]),
    ...filterNames.flatMap(([name, title]) => {
      const values = filters[name]
      return values === undefined ? [] : [`${title}: ${values.join(', ')}`]
    }),
  ]
}

function footerOf(view: SharedView, { every, setUpBy }: ViewMailAround): string[] {
  return [
    `${setUpBy} of ${view.organization.name} set up this mail. It comes every ${every}.`,
    'To stop it for your address, use this link:',
  ]
}

function countryName(code: string): string {
  return code === 'XX' ? 'Unknown' : (countryNames.of(code) ?? code)
}

function percentText(percentage: number): string {
  return `${numbers.format(percentage)} %`
}

/** Text that is HTML already. */
class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The only way to HTML: escapes every text that is none. */
function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const written = values.map((value) => {
    if (value instanceof Html) return value.text
    return typeof value === 'string' ? escapeText(value) : value.map(({ text }) => text).join('')
  })
  return new Html(String.raw({ raw: parts }, ...written))
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
