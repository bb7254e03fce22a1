import { escapeHtml } from '../guide/markdown.ts'
import type { Operation, Response } from './operations.ts'
import { sampleLanguages } from './samples.ts'
import { asJson, boundsHtml, inline, schemaHtml, textOf, typeText, type Json } from './schema-html.ts'

const places = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

/** Renders an operation: what it takes and returns, and how programs call it. */
export function operationHtml(operation: Operation): string {
  const { id, method, path, summary, description, parameters, body, responses } = operation
  const successes = responses.filter(({ name }) => name === undefined)
  return (
    `<section data-operation="${id}"><h2 id="${id}">${escapeHtml(summary)} ` +
    `<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(summary)}”">#</a></h2>` +
    `<p class="address"><b class="method">${method}</b> <code>${escapeHtml(path)}</code></p>` +
    `<p>${inline(description)}</p>${samplesHtml(operation)}` +
    places
      .map(([place, title]) =>
        parametersHtml(
          title,
          parameters.filter((one) => one['in'] === place),
        ),
      )
      .join('') +
    (body === undefined ? '' : `<h3>Body</h3><p class="media">${body.type}</p>${schemaHtml(body.schema)}`) +
    successes.map(responseHtml).join('') +
    `${errorsHtml(responses)}</section>`
  )
}

/** Without a script all languages show, one below the other. */
function samplesHtml({ call }: Operation): string {
  const figures = sampleLanguages.map(
    ({ id, name, write }) =>
      `<figure data-language="${id}"><figcaption>${name}</figcaption><pre tabindex="0"><code>${escapeHtml(write(call))}</code></pre></figure>`,
  )
  return `<div class="samples">${figures.join('')}</div>`
}

function parametersHtml(title: string, parameters: readonly Json[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map((one) => {
    const schema = asJson(one['schema'])
    const needs = one['required'] === true ? ' <strong class="required">required</strong>' : ''
    const about = inline(textOf(one['description']))
    return (
      `<dt><code>${escapeHtml(textOf(one['name']))}</code> <span class="type">${typeText(schema)}</span>${needs}</dt>` +
      `<dd>${about}${boundsHtml(schema)}</dd>`
    )
  })
  return `<h3>${title}</h3><dl class="fields">${rows.join('')}</dl>`
}

function responseHtml({ status, description, schema, type, example }: Response): string {
  const shown =
    example === undefined
      ? ''
      : `<details><summary>Example</summary><pre tabindex="0"><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre></details>`
  const media =
    type === undefined || type === 'application/json' ? '' : `<p class="media">${escapeHtml(type)}</p>`
  return `<h3>Answer ${status} <span class="type">${escapeHtml(description)}</span></h3>${media}${schema === undefined || type !== 'application/json' ? '' : schemaHtml(schema)}${shown}`
}

/** Errors are the same for all operations: the overview says when each comes. */
function errorsHtml(responses: readonly Response[]): string {
  const statuses = responses
    .filter(({ name }) => name !== undefined)
    .map(({ status }) => `<code>${status}</code>`)
  if (statuses.length === 0) return ''
  return `<p class="errors">Errors: ${statuses.join(' ')}. <a href="/docs">All errors have the same body.</a></p>`
}
