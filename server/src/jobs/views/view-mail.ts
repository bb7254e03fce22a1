import { listIn } from '@everscan/contract/dimensions/answered-lists.ts'
import { listedDimensions, listOf } from '@everscan/contract/dimensions/dimensions.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { MailInterval, SharedView } from '@everscan/contract/views/views.ts'
import { mailFormats } from '../../product/mails/mail-formats.ts'
import { mailWords } from '../../product/mails/mail-words.ts'
import { html, type Html } from './mail-html.ts'
import { ruleName, scopeOf, valueName, type Wording } from './mail-scope.ts'

/** The parts of a view's mail besides its figures. */
export type ViewMailAround = {
  language: DashboardLanguage
  every: MailInterval
  setUpBy: string
  /** The public link, or else the view in the dashboard. */
  url: string
  isPublic: boolean
  leaveUrl: string
}

type Parts = { view: SharedView; around: ViewMailAround; wording: Wording }
type Row = { name: string; scans: number; percentage: number }
type Section = { title: string; rows: readonly Row[] }

const rowsMax = 5
/** A mail is no place for a longer timeline: bars of single days would be too small to see. */
const bucketsMax = 31

/** Writes the mail of a view, as text and as HTML that loads and runs nothing. */
export function viewMail(view: SharedView, around: ViewMailAround) {
  const { language } = around
  const wording = { words: mailWords[language].view, formats: mailFormats(language) }
  const { words, formats } = wording
  const { totalScans } = view.summary
  const scans = words.scanCount(totalScans, formats.number(totalScans))
  return {
    subject: words.line(view.name, `${scans}, ${periodOf(view, wording)}`),
    text: textOf({ view, around, wording }),
    html: htmlOf({ view, around, wording }),
  }
}

function textOf({ view, around, wording }: Parts): string {
  const { words, formats } = wording
  const lines = [
    view.name,
    `${view.organization.name} · ${periodOf(view, wording)}`,
    ...scopeOf(view, wording),
    '',
    ...summaryOf(view, wording).map(({ title, value }) => words.line(title, value)),
    ...sectionsOf(view, wording).flatMap(({ title, rows }) => [
      '',
      title,
      ...rows.map(({ name, scans, percentage }) => {
        const counted = `${formats.number(scans)} (${formats.percent(percentage)})`
        return `  ${words.line(name, counted)}`
      }),
    ]),
    '',
    around.isPublic ? words.openHere : words.openSignedIn,
    around.url,
    '',
    ...footerOf(view, around, words),
    around.leaveUrl,
  ]
  return `${lines.join('\n')}\n`
}

function htmlOf({ view, around, wording }: Parts): string {
  const { words } = wording
  const { summary, organization } = view
  const about = [periodOf(view, wording), ...scopeOf(view, wording)]
  const cell = 'padding:12px 14px;border:1px solid #e2e2dd;border-radius:8px'
  const body = html`
    <p style="margin:0;color:#5c6068;font-size:14px">${organization.name}</p>
    <h1 style="margin:4px 0 0;font-size:22px">${view.name}</h1>
    <p style="margin:4px 0 20px;color:#5c6068;font-size:14px">${about.join(' · ')}</p>
    <table role="presentation" width="100%" cellspacing="6" cellpadding="0">
      <tr>
        ${summaryOf(view, wording).map(
          ({ title, value }) =>
            html`<td style="${cell}">
              <span style="color:#5c6068;font-size:13px">${title}</span><br /><strong style="font-size:22px"
                >${value}</strong
              >
            </td>`,
        )}
      </tr>
    </table>
    ${
      summary.totalScans === 0
        ? html`<p>${words.nothing}</p>`
        : sectionsOf(view, wording).map((section) => sectionHtml(section, wording))
    }
    <p style="margin:24px 0">
      <a
        href="${around.url}"
        style="background:#0f5f4e;color:#ffffff;padding:10px 16px;border-radius:8px;text-decoration:none"
        >${words.open}</a
      >
    </p>
    <p style="color:#5c6068;font-size:13px">
      ${footerOf(view, around, words).join(' ')}
      <a href="${around.leaveUrl}" style="color:#0f5f4e">${words.leaveAction}</a>
    </p>
  `
  return html`<!doctype html>
    <html lang="${around.language}">
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

function sectionHtml({ title, rows }: Section, { formats }: Wording): Html {
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
            <td align="right" width="14%">${formats.number(scans)}</td>
            <td align="right" width="12%" style="color:#5c6068">${formats.percent(percentage)}</td>
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

function summaryOf({ summary }: SharedView, { words, formats }: Wording) {
  return [
    { title: words.scans, value: formats.number(summary.totalScans) },
    { title: words.uniqueScans, value: formats.number(summary.uniqueScans) },
    { title: words.scansPerDay, value: formats.number(summary.avgDailyScans) },
  ]
}

function sectionsOf(view: SharedView, wording: Wording): Section[] {
  const { summary, timeline, interval, topQrCodes, destinations = [] } = view
  const { totalScans } = summary
  const { words, formats } = wording
  const shareOf = (scans: number) => (totalScans === 0 ? 0 : Math.round((1000 * scans) / totalScans) / 10)
  const isShort = timeline.length <= bucketsMax && interval !== 'hour'
  const bucketName = interval === 'month' ? formats.month : formats.shortDay
  const overTime = timeline.map(({ date, scans }) => ({
    name: bucketName(Date.parse(date)),
    scans,
    percentage: shareOf(scans),
  }))
  const sections = [
    { title: words.timeline, rows: isShort ? overTime : [] },
    { title: words.topQrCodes, rows: (topQrCodes ?? []).slice(0, 2 * rowsMax) },
    {
      title: words.destinations,
      rows: destinations.slice(0, 2 * rowsMax).map(({ name, arm, ...row }) => ({
        name:
          name === null
            ? words.noRule
            : [ruleName(name, words), arm].filter((part) => part !== null).join(' · '),
        ...row,
      })),
    },
    ...listedDimensions
      .filter((name) => listOf(name).isInMails === true)
      .map((name) => ({
        title: words.lists[name],
        rows: listIn(view, name)
          .slice(0, rowsMax)
          .map(({ value, scans, percentage = shareOf(scans) }) => ({
            name: valueName(name, value, wording),
            scans,
            percentage,
          })),
      })),
  ]
  return sections.filter(({ rows }) => rows.length > 0)
}

function periodOf({ days: { startDate, endDate } }: SharedView, { formats }: Wording): string {
  return formats.days(Date.parse(startDate), Date.parse(endDate))
}

function footerOf(view: SharedView, { every, setUpBy }: ViewMailAround, words: Wording['words']): string[] {
  return [words.setUp[every](setUpBy, view.organization.name), words.leave]
}
