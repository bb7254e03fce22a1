/**
 * Style sheet of every page. Its colors are properties that each page sets (`colorProperties`).
 * Sizes are in rem, so they grow with the reader's font size. Touch targets are at least 44 pixels
 * high (WCAG 2.2, 2.5.5). Sides are logical, so pages also work from right to left.
 */
export const pageStyle = `
*{box-sizing:border-box}
[hidden]{display:none!important}
:root{color-scheme:light dark}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--page);color:var(--text);
font:1.125rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
:lang(ko){word-break:keep-all}
header,main{width:100%;max-width:34rem;margin:0 auto;padding:1.5rem}
header{display:flex;align-items:center;gap:.75rem;padding-bottom:0;font-weight:600}
header img{display:block;max-width:60%;height:auto;max-height:3rem;width:auto;border-radius:.375rem}
main{flex:1;display:flex;flex-direction:column;padding-bottom:3rem}
main.middle{justify-content:center;padding-bottom:12vh}
h1{font-size:2rem;line-height:1.2;font-weight:700;letter-spacing:-.01em;margin:0;text-wrap:balance}
h1.address{font-size:1.5rem}
h2{font-size:1.375rem;line-height:1.3;margin:0 0 .25rem}
p{margin:.5rem 0 0}
a{color:var(--accent)}
a:focus-visible,button:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
bdi,[dir]{unicode-bidi:isolate}
.over{margin:0 0 .25rem;color:var(--muted);font-weight:600}
.muted{color:var(--muted)}
.badge{display:flex;align-items:center;justify-content:center;width:4.5rem;height:4.5rem;margin:0 0 1.5rem;border-radius:50%;
background:var(--soft);color:var(--accent);font-size:1.75rem;font-weight:600}
.badge svg{width:2.25rem;height:2.25rem}
.icon,.mark{flex:none;width:1.5rem;height:1.5rem}
.icon{fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.mark{fill:currentColor}
.action{display:flex;align-items:center;justify-content:center;gap:.75rem;width:100%;min-height:3.5rem;margin:1.75rem 0 0;padding:.75rem 1.25rem;
border:0;border-radius:1rem;background:var(--accent);color:var(--onAccent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.action+.action{margin-top:.75rem}
.plain{background:var(--soft);color:var(--accent)}
button.action{margin-top:.75rem}
.problem{margin:.5rem 0 0;font-weight:600}
form{margin:1.75rem 0 0}
label{display:block;margin:0 0 .375rem;color:var(--muted);font-weight:600}
input{width:100%;min-height:3.5rem;padding:.75rem 1.125rem;border:2px solid var(--muted);border-radius:1rem;background:var(--page);color:var(--text);font:inherit}
input:focus{outline:3px solid var(--accent);outline-offset:2px}
.rows{list-style:none;margin:1.5rem 0 0;padding:0}
.rows li{border-bottom:1px solid var(--line)}
.rows li:last-child{border:0}
.row{display:flex;align-items:center;gap:1rem;min-height:3.75rem;padding:.625rem 0;color:inherit;text-decoration:none}
.row svg{color:var(--accent)}
.row>span{flex:1;min-width:0}
.row small,dt{display:block;color:var(--muted);font-size:.9375rem}
dl{margin:1.75rem 0 0}
dd{margin:0 0 1rem}
.lines{white-space:pre-wrap;unicode-bidi:plaintext;text-align:start}
.large{margin-top:1rem;font-size:1.25rem;line-height:1.6;-webkit-user-select:text;user-select:text}
.secret{display:block;margin:.25rem 0 0;padding:.875rem 1.125rem;border-radius:1rem;background:var(--soft);color:var(--text);
font:600 1.5rem/1.35 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;-webkit-user-select:all;user-select:all}
figure{display:flex;flex-wrap:wrap;align-items:center;gap:1.25rem;margin:2rem 0 0;padding:1.5rem 0 0;border-top:1px solid var(--line)}
figure svg{flex:none;display:block;width:9rem;height:9rem;border-radius:.75rem}
figcaption{flex:1 1 8rem;min-width:0;color:var(--muted);font-size:1rem}
nav{position:sticky;top:0;z-index:1;margin:1rem -1.5rem 0;background:var(--page);border-bottom:1px solid var(--line)}
nav ul{display:flex;gap:.5rem;margin:0;padding:.5rem 1.5rem;list-style:none;overflow-x:auto}
nav a{display:flex;align-items:center;min-height:2.75rem;padding:0 1rem;border-radius:1.375rem;background:var(--soft);font-weight:600;text-decoration:none;white-space:nowrap}
section{padding:1.75rem 0 0;scroll-margin-top:4rem}
.dishes{list-style:none;margin:0;padding:0}
.dishes li{padding:.75rem 0;border-bottom:1px solid var(--line)}
.dishes li:last-child{border:0}
.dish{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;font-weight:600}
.dish bdi{flex:1 1 10rem}
.dish data{font-variant-numeric:tabular-nums;white-space:nowrap}
.dishes p{margin:.125rem 0 0;color:var(--muted);font-size:1rem}
@media(min-width:40rem){h1{font-size:2.5rem}h1.address{font-size:1.875rem}header,main{padding-inline:2rem}nav{margin-inline:-2rem}nav ul{padding-inline:2rem}}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
`.replaceAll('\n', '')
