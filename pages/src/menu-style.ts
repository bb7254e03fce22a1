import { directionOfTag } from './menu-texts.ts'

const parts = `
h1,h2,.dish bdi,.dishes p{text-align:left}
[dir=rtl] :is(h1,h2,.dish bdi,.dishes p){text-align:right}
.photo{display:block;width:calc(100% + 3rem);max-width:none;height:auto;aspect-ratio:2/1;max-height:20rem;object-fit:cover;margin:-1.5rem -1.5rem 1.5rem;background:var(--soft)}
header+main .photo{margin-top:0}
.logo{display:block;height:4.5rem;width:auto;max-width:70%;object-fit:contain;object-position:left center;margin:0 0 1rem}
[dir=rtl] .logo{object-position:right center}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.25rem 0 0}
.actions .action{flex:1 1 auto;width:auto;max-width:100%;margin:0}
.facts{margin-top:1rem}
summary.row{cursor:pointer;list-style:none}
summary.row::-webkit-details-marker{display:none}
summary.row::after{content:"";flex:none;width:.5rem;height:.5rem;margin-inline-end:.375rem;border:solid var(--muted);border-width:0 2px 2px 0;transform:rotate(45deg)}
[open]>summary.row::after{transform:rotate(225deg)}
summary:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.hours{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1.25rem;margin:0 0 1rem;padding-inline-start:2.5rem}
.hours dt,.hours dd{margin:0;font-size:1rem;font-variant-numeric:tabular-nums}
.hours dt{font-size:1rem}
.dishes .marks{display:flex;flex-wrap:wrap;gap:.25rem .5rem;align-items:baseline;margin-top:.375rem;font-size:.875rem}
.diet{padding:0 .625rem;border-radius:1rem;background:var(--soft);color:var(--accent);font-weight:600;line-height:1.625rem}
@media(min-width:40rem){.photo{width:100%;margin-inline:0;border-radius:1rem}}
`.replaceAll('\n', '')

const choosing = `
.k{position:absolute;width:1px;height:1px;margin:0;padding:0;min-height:0;opacity:0}
.languages{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1.25rem}
.languages label{display:flex;align-items:center;justify-content:center;min-width:2.75rem;min-height:2.75rem;margin:0;padding:0 1rem;border-radius:1.375rem;background:var(--soft);color:var(--accent);cursor:pointer}
.l{display:none}
`.replaceAll('\n', '')

/**
 * Returns the style sheet of a menu in some languages. Buttons of a choice show the texts of one
 * language and hide the others, so the switch needs neither a script nor a request. If the
 * languages are read in both directions, the choice also turns the menu.
 */
export function menuStyle(tags: readonly string[]): string {
  if (tags.length < 2) return parts
  const directions = tags.map(directionOfTag)
  const turns = new Set(directions).size > 1
  const each = directions.map(
    (direction, at) =>
      `#k${at}:checked~* .l${at}{display:block}` +
      `#k${at}:checked~.languages label[for=k${at}]{background:var(--accent);color:var(--onAccent)}` +
      `#k${at}:focus-visible~.languages label[for=k${at}]{outline:3px solid var(--accent);outline-offset:3px}` +
      (turns ? turned(`#k${at}:checked`, direction) : ''),
  )
  return parts + choosing + each.join('')
}

function turned(choice: string, direction: 'ltr' | 'rtl'): string {
  const side = direction === 'rtl' ? 'right' : 'left'
  return (
    `${choice}~:is(h1,nav,section){direction:${direction}}` +
    `${choice}~h1,${choice}~section :is(h2,.dish bdi,.dishes p){text-align:${side}}`
  )
}
