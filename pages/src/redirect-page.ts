import { html } from './html.ts'

/** Renders a page that leads on at once, for servers that have files only. It has no style. */
export function redirectPage(address: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <meta http-equiv="refresh" content="${`0;url=${address}`}" />
        <title>${address}</title>
      </head>
      <body>
        <p><a href="${address}">${address}</a></p>
      </body>
    </html>`.text
}
