import { wifiEncryption, wifiEncryptions, type WifiData } from '@everscan/contract/code-types/wifi.ts'
import { directPayload } from '@everscan/qr/content/direct-payload.ts'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { drawSvg } from '@everscan/qr/writers/svg.ts'
import { textOf, type Fields } from '@everscan/contract/schema/fields.ts'
import { Html, html } from './html.ts'
import { icon } from './icons.ts'
import type { PageCode, PageContent, Visitor } from './page-content.ts'
import { wordsOf } from './languages/languages.ts'

/** Shows the copy button, which needs a script. Without scripts, a touch selects the password. */
const copyScript = `document.querySelectorAll("button[data-copied]").forEach(function(button){
var field=button.previousElementSibling;button.hidden=false;button.nextElementSibling.hidden=true;
button.onclick=function(){getSelection().selectAllChildren(field);
var done=function(){button.textContent=button.dataset.copied};
if(navigator.clipboard)navigator.clipboard.writeText(field.textContent).then(done,function(){});
else if(document.execCommand("copy"))done()}})`.replaceAll('\n', '')

/** Shows the copy button on a still page. */
const copyStyle = 'button[data-copied]{display:flex!important}button[data-copied]+p{display:none}'

/**
 * Renders the network and its password to type or copy, and the picture with which a second phone
 * joins.
 */
export function wifiPage({ data }: PageCode, { language }: Visitor): PageContent {
  const words = wordsOf(language).wifi
  const wifi = wifiOf(data)
  const { ssid, password, hidden } = wifi
  const secret = wifiEncryption(wifi) === 'nopass' ? undefined : password
  const main = html`<div class="badge">${icon('wifi')}</div>
    <p class="over">${words.title}</p>
    <h1 dir="auto">${ssid}</h1>
    ${hidden === true && html`<p class="muted">${words.hidden}</p>`}
    ${
      secret === undefined || secret === ''
        ? html`<p class="muted">${words.open}</p>`
        : html`<dl>
            <dt>${words.password}</dt>
            <dd>
              <code class="secret" dir="ltr">${secret}</code>
              <button class="action" type="button" hidden data-copied="${words.copied}" aria-live="polite">
                ${words.copy}
              </button>
              <p class="muted">${words.touch}</p>
            </dd>
          </dl>`
    }
    <figure>
      ${joinPicture(wifi)}
      <figcaption>${words.picture}</figcaption>
    </figure>`
  return {
    title: ssid,
    main,
    layout: 'middle',
    ...(secret && { script: copyScript, scriptedStyle: copyStyle }),
  }
}

function wifiOf(data: Fields): WifiData {
  const encryption = wifiEncryptions.find((one) => one === data['encryption'])
  return {
    ssid: textOf(data, 'ssid'),
    password: textOf(data, 'password'),
    hidden: data['hidden'] === true,
    ...(encryption && { encryption }),
  }
}

/**
 * Draws the picture black on white in both schemes, as readers expect. Data that bypassed the API
 * may be too long for it.
 */
function joinPicture(wifi: WifiData): Html | undefined {
  try {
    const text = directPayload('WIFI', wifi) ?? ''
    return new Html(
      drawSvg(createMatrix({ text: text.toWellFormed(), errorCorrection: 'M' }), { title: wifi.ssid }),
    )
  } catch {
    return undefined
  }
}
