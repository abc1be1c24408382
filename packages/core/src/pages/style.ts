/** The style sheet of all built-in pages: one constant string, hence one hash. Colours of a theme stand in an element of their own. */

// Ink on paper and soft ink on the card keep 4.5:1, borders of fields and focus rings 3:1 (WCAG 2.2 §1.4.3, §1.4.11).
const light = `
  --paper:#f5f5f3; --card:#fff; --ink:#16181d; --soft:#575d69; --line:#dedfdb; --edge:#868b95; --lift:#f6f6f4;
  --rim:rgb(0 0 0/.08); --ring:#1f5fd6; --bad:#a3160c; --bad-paper:#fdf1ef; --bad-line:#f0c9c3; --good:#17603a;
  --shadow:0 1px 2px rgb(22 24 29/.05),0 20px 44px -24px rgb(22 24 29/.25);`

const dark = `
  --paper:#0e1014; --card:#17191f; --ink:#eceef2; --soft:#a5acb9; --line:#353a45; --edge:#747b89; --lift:#1f222a;
  --rim:rgb(255 255 255/.2); --ring:#8ab4ff; --bad:#ffb4a9; --bad-paper:#2c1816; --bad-line:#5d2d27; --good:#9fe0bb;
  --shadow:0 1px 2px rgb(0 0 0/.4),0 20px 44px -24px rgb(0 0 0/.75);`

/** White on colours whose relative luminance (`y`) is below a limit, else black. */
const whiteBelow = (limit: number, colour: string): string => {
  const part = (white: number): string => `clamp(0,(${limit} - y)*9999,${white})`
  return `color(from ${colour} xyz-d65 ${part(0.9505)} ${part(1)} ${part(1.0891)}/1)`
}

// Text: at 0.179 black and white have the same contrast, 4.58:1. Marks carry no information, so white may be kept for longer there.
const readable = whiteBelow(0.179, "var(--brand)")
const pleasing = (colour: string): string => whiteBelow(0.42, colour)

const base = `
@property --brand{syntax:"<color>";inherits:true;initial-value:#3350c9}
:root{
  color-scheme:light dark; --round:.625rem; --card-round:1.25rem;
  --font:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif;${light}
}
:root[data-scheme=light]{color-scheme:light}
@media (prefers-color-scheme:dark){:root[data-scheme=auto]{${dark}}}
:root[data-scheme=dark]{color-scheme:dark;${dark}}

*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
body{
  margin:0; min-height:100vh; min-height:100dvh; display:grid; place-items:center; padding:2rem 1rem;
  background:var(--paper); color:var(--ink); font:1rem/1.5 var(--font); -webkit-font-smoothing:antialiased; overflow-wrap:anywhere;
}
.card{
  width:100%; max-width:25rem; padding:2.25rem 2rem; background:var(--card);
  border:1px solid var(--line); border-radius:var(--card-round); box-shadow:var(--shadow);
}
.keyhole,.logo{display:block; margin:0 auto 1rem}
.keyhole{width:2.75rem; height:2.75rem}
.keyhole rect{fill:var(--brand)}
.keyhole path{fill:var(--on-brand,#fff)}
.app{margin:0 0 .75rem; font-size:1.0625rem; font-weight:650; text-align:center}
.logo{max-width:12rem; height:3rem; object-fit:contain}
h1{margin:0 0 1.5rem; font-size:1.4375rem; line-height:1.3; font-weight:650; letter-spacing:-.015em; text-align:center; text-wrap:balance}
:lang(ar) h1,:lang(hi) h1{letter-spacing:0}
h1:has(+ .soft){margin-bottom:.375rem}
p{margin:0}
.soft{margin:0 0 1.5rem; color:var(--soft); text-align:center; text-wrap:pretty}
.soft strong{color:var(--ink); font-weight:600}
`

const forms = `
.group,form,.later{display:grid; gap:.625rem}
form:has(.field,.choice),.later:has(.field){gap:1rem}
.or{display:flex; align-items:center; gap:.875rem; margin:1.25rem 0; color:var(--soft); font-size:.875rem}
.or::before,.or::after{content:""; flex:1; height:1px; background:var(--line)}

.label{display:flex; align-items:baseline; justify-content:space-between; gap:.75rem; margin:0 0 .375rem; font-size:.9375rem}
label{display:block; margin:0 0 .375rem; font-size:.9375rem; font-weight:550}
.label label{margin:0}
.label a{color:var(--soft); font-size:.875rem}
input:not([type=checkbox],[type=radio]){
  display:block; width:100%; min-height:2.75rem; padding:.5rem .875rem; font:inherit; color:inherit;
  background:var(--card); border:1px solid var(--edge); border-radius:var(--round);
}
input[type=email],input[type=url],input[type=tel]{direction:ltr; text-align:start}
:dir(rtl) input[type=email]{text-align:end}
input::placeholder{color:var(--soft); opacity:1}
input[aria-invalid=true]:not(#x){border-color:var(--bad); box-shadow:0 0 0 1px var(--bad)}
.wrong{margin:.375rem 0 0; color:var(--bad); font-size:.9375rem}
.secret{position:relative}
.secret:has(.reveal:not([hidden])) input{padding-inline-end:3rem}
button.reveal{
  position:absolute; inset-block:.25rem; inset-inline-end:.25rem; width:2.5rem; min-height:0; padding:0;
  border:0; background:none; color:var(--soft); border-radius:calc(var(--round)*.75);
}
button.reveal:hover{color:var(--ink); background:var(--lift)}
.reveal svg{width:1.375rem; height:1.375rem}
.reveal svg,svg.sign{fill:none; stroke:currentColor; stroke-width:1.75; stroke-linecap:round; stroke-linejoin:round}
.reveal:not([data-shown]) .line{display:none}
.choice{display:flex; align-items:center; gap:.625rem}
.choice label{margin:0}
.choice input{width:1.125rem; height:1.125rem; margin:0; accent-color:var(--brand)}
[data-step="1"] .later{position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%); visibility:hidden}
.card:has([data-step="2"]) .aside{display:none}

button,.primary{
  position:relative; display:flex; align-items:center; justify-content:center; width:100%; min-height:2.75rem; padding:.5rem 1rem; font:inherit;
  font-weight:600; text-align:center; text-decoration:none; border-radius:var(--round); cursor:pointer;
  transition:background-color .15s,border-color .15s,box-shadow .15s;
}
.primary{border:1px solid var(--rim); background:var(--brand); color:var(--on-brand,#fff)}
.primary:hover{box-shadow:inset 0 0 0 99rem rgb(0 0 0/.08)}
.primary:active{box-shadow:inset 0 0 0 99rem rgb(0 0 0/.16)}
.provider{padding-inline:2.5rem; font-size:.9375rem; font-weight:550; text-wrap:balance; color:var(--ink); background:var(--card); border:1px solid var(--line)}
.provider:hover{background:var(--lift); border-color:var(--edge)}
.plain{padding-inline:1rem}
button:disabled{cursor:default; opacity:.65}
button[aria-busy=true]{cursor:progress; opacity:1}
button[aria-busy=true]::after{
  content:""; position:absolute; inset-inline-end:.875rem; width:1.125rem; height:1.125rem;
  border:2px solid currentColor; border-inline-end-color:transparent; border-radius:50%; animation:turn .8s linear infinite;
}
@keyframes turn{to{transform:rotate(1turn)}}
.last{
  position:absolute; inset-block-start:-.625rem; inset-inline-end:.5rem; padding:0 .4375rem; border:1px solid var(--line); border-radius:1rem;
  background:var(--card); color:var(--soft); font-size:.6875rem; line-height:1.0625rem; font-weight:550;
}
button.quiet{min-height:2.25rem; border:0; background:none; color:var(--soft); font-size:.9375rem; font-weight:500; text-decoration:underline; text-underline-offset:.2em; text-decoration-color:var(--edge)}
button.quiet:hover{color:var(--ink)}
.submits{display:grid; gap:.625rem}
.label .last{position:static}
details>summary{
  min-height:2.75rem; display:flex; align-items:center; justify-content:center; color:var(--soft); font-size:.9375rem;
  border-radius:var(--round); cursor:pointer; list-style:none;
}
summary::-webkit-details-marker{display:none}
summary:hover{color:var(--ink); background:var(--lift)}
summary::after{content:""; width:.4375rem; height:.4375rem; margin-inline-start:.625rem; border:solid; border-width:0 2px 2px 0; transform:translateY(-.125rem) rotate(45deg)}
details[open]>summary{display:none}
.mark{position:absolute; inset-inline-start:.75rem; width:1.5rem; height:1.5rem; border-radius:.375rem}
img.mark{padding:.125rem; background:#fff; object-fit:contain}
.mark rect{fill:currentColor}
.mark text{fill:var(--card); font-size:13px; font-weight:650}
.mark[color] text{fill:#fff}
svg.sign{padding:.125rem}
`

const rest = `
:focus-visible{outline:3px solid var(--ring); outline-offset:2px}
a{color:inherit; text-underline-offset:.2em; text-decoration-color:var(--edge)}
a:hover{text-decoration-color:currentColor}
a.primary{color:var(--on-brand,#fff)}
.way,.links{margin-top:1.25rem; text-align:center; font-size:.9375rem; color:var(--soft)}
.way strong,.way a{color:var(--ink)}
.links{display:flex; flex-wrap:wrap; justify-content:center; gap:.25rem 1.25rem; margin-top:1.5rem; font-size:.8125rem}
.links a{padding-block:.25rem; text-decoration:none}
.links a:hover{text-decoration:underline}

.alert{margin:0 0 1.5rem; padding:.75rem 1rem; color:var(--bad); background:var(--bad-paper); border:1px solid var(--bad-line); border-radius:var(--round); font-size:.9375rem}
.status{color:var(--soft); font-size:.9375rem; text-align:center}
.incident{margin:0 0 1.5rem; text-align:center; font-size:.875rem; color:var(--soft)}
.alert .incident{margin:.375rem 0 0; text-align:start; color:inherit}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace; user-select:all}
noscript .soft,form .alert{margin:0}

@supports (color:color(from red xyz-d65 x y z)){
  .primary,a.primary{color:var(--on-brand,${readable})}
  .keyhole path{fill:var(--on-brand,${pleasing("var(--brand)")})}
  .mark[color] text{fill:${pleasing("currentColor")}}
}
@supports (color:color-mix(in oklab,red,red)){
  body{background:radial-gradient(64rem 30rem at 50% -12rem,color-mix(in oklab,var(--brand) 10%,var(--paper)),var(--paper)) no-repeat var(--paper)}
}
@media (max-width:26rem){
  body{padding:0; place-items:stretch; background:var(--card)}
  .card{max-width:none; border:0; border-radius:0; box-shadow:none; padding:2.5rem 1.25rem 2rem}
}
@media (prefers-reduced-motion:reduce){*,::before,::after{transition:none!important;animation:none!important}}
@media (forced-colors:active){
  .primary{border-color:ButtonText}
  .or::before,.or::after{background:CanvasText}
  .last,.mark{forced-color-adjust:auto; border-color:CanvasText}
}
`

/** The style sheet, without the spaces it was written with. */
export const styleSheet: string = `${base}${forms}${rest}`.replace(/\n\s*/g, "")

/** Its hash for the policy; after a change, a failing test prints the new one. */
export const styleSheetHash = "sha256-XV4KxEO2hJRnEH9zm2G5JJkdH561vGa/lgEEb0Yml8M="
