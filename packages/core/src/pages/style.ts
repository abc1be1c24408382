/** The style sheet of all built-in pages: one constant string, hence one hash. Colours of a theme stand in an element of their own. */

// Ink on paper and soft ink on the card keep 4.5:1, borders of fields and focus rings 3:1 (WCAG 2.2 §1.4.3, §1.4.11).
const light = `
  --paper:#f4f4f0; --card:#fff; --ink:#1a1d23; --soft:#565c68; --line:#d9d8d1; --halo:transparent; --edge:#868b95; --lift:#f7f7f4;
  --ring:#1f5fd6; --bad:#8c1c13; --bad-paper:#fdf1ef; --bad-line:#f0c9c3;
  --shadow:0 1px 2px rgb(26 29 35/.05),0 18px 40px -20px rgb(26 29 35/.22);`

const dark = `
  --paper:#0f1115; --card:#181b21; --ink:#eceef2; --soft:#a5acb9; --line:#363c47; --halo:rgb(255 255 255/.16); --edge:#717886; --lift:#1f232b;
  --ring:#8ab4ff; --bad:#ffb8ae; --bad-paper:#2c1816; --bad-line:#5d2d27;
  --shadow:0 1px 2px rgb(0 0 0/.4),0 18px 40px -20px rgb(0 0 0/.7);`

/** White on colours whose relative luminance (`y`) is below a limit, else black. */
const whiteBelow = (limit: number, colour: string): string => {
  const part = (white: number): string => `clamp(0,(${limit} - y)*9999,${white})`
  return `color(from ${colour} xyz-d65 ${part(0.9505)} ${part(1)} ${part(1.0891)}/1)`
}

// Text: at 0.179 black and white have the same contrast, 4.58:1. Marks carry no information, so white may be kept for longer there.
const readable = whiteBelow(0.179, "var(--brand)")
const pleasing = (colour: string): string => whiteBelow(0.42, colour)

const sheet = `
@property --brand{syntax:"<color>";inherits:true;initial-value:#3350c9}
:root{color-scheme:light dark;${light}}
:root[data-scheme=light]{color-scheme:light}
@media (prefers-color-scheme:dark){:root[data-scheme=auto]{${dark}}}
:root[data-scheme=dark]{color-scheme:dark;${dark}}

*,::before,::after{box-sizing:border-box}
body{
  margin:0; min-height:100vh; min-height:100dvh; display:grid; place-items:center; padding:2rem 1rem;
  background:var(--paper); color:var(--ink);
  font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif;
  -webkit-font-smoothing:antialiased; overflow-wrap:anywhere;
}
.card{
  width:100%; max-width:24.5rem; padding:2.5rem 2rem 2rem; background:var(--card);
  border:1px solid var(--line); border-radius:1.25rem; box-shadow:var(--shadow);
}
.keyhole,.logo{display:block; margin:0 auto 1.25rem}
.keyhole{width:2.75rem; height:2.75rem}
.keyhole rect{fill:var(--brand)}
.keyhole path{fill:var(--on-brand,#fff)}
.logo{max-width:12rem; max-height:4rem; object-fit:contain}
h1{margin:0 0 1.5rem; font-size:1.5rem; line-height:1.25; font-weight:650; letter-spacing:-.015em; text-align:center; text-wrap:balance}
h1:has(+ .soft){margin-bottom:.5rem}
p{margin:0}
.soft{margin:0 0 1.5rem; color:var(--soft); text-align:center; text-wrap:pretty}
.soft strong{color:var(--ink); font-weight:600}

.group,form{display:grid; gap:.625rem}
form:has(.field,.choice){gap:1rem}
.or{display:flex; align-items:center; gap:.875rem; margin:1.375rem 0; color:var(--soft); font-size:.875rem}
.or::before,.or::after{content:""; flex:1; height:1px; background:var(--line)}

label{display:block; margin:0 0 .375rem; font-size:.9375rem; font-weight:550}
input:not([type=checkbox],[type=radio]){
  display:block; width:100%; min-height:2.875rem; padding:.5rem .875rem; font:inherit; color:inherit;
  background:var(--card); border:1px solid var(--edge); border-radius:.75rem;
}
input::placeholder{color:var(--soft); opacity:1}
.choice{display:flex; align-items:center; gap:.625rem}
.choice label{margin:0}
.choice input{width:1.125rem; height:1.125rem; margin:0; accent-color:var(--brand)}

button,.primary{
  display:flex; align-items:center; justify-content:center; width:100%; min-height:2.875rem; padding:.5rem 1rem; font:inherit;
  font-weight:600; text-align:center; text-decoration:none; border-radius:.75rem; cursor:pointer;
  transition:background-color .15s,border-color .15s,box-shadow .15s;
}
.primary{border:1px solid transparent; background:var(--brand); color:var(--on-brand,#fff)}
.primary:hover{box-shadow:inset 0 0 0 99rem rgb(0 0 0/.07)}
.primary:active{box-shadow:inset 0 0 0 99rem rgb(0 0 0/.14)}
.provider{position:relative; padding-inline:2.75rem; font-weight:550; text-wrap:balance; color:var(--ink); background:var(--card); border:1px solid var(--line)}
.provider:hover{background:var(--lift); border-color:var(--edge)}
.mark{position:absolute; inset-inline-start:.875rem; width:1.5rem; height:1.5rem; border-radius:.375rem; box-shadow:0 0 0 1px var(--halo)}
img.mark{padding:.125rem; background:#fff; object-fit:contain}
.mark rect{fill:currentColor}
.mark text{fill:var(--card); font-size:13px; font-weight:650}
.mark[color] text{fill:#fff}

:focus-visible{outline:3px solid var(--ring); outline-offset:2px}
a{color:inherit; text-underline-offset:.2em; text-decoration-color:var(--edge)}
a:hover{text-decoration-color:currentColor}
a.primary{color:var(--on-brand,#fff)}
.way{margin-top:1.25rem; text-align:center; font-size:.9375rem; color:var(--soft)}

.alert{margin:0 0 1.5rem; padding:.75rem 1rem; color:var(--bad); background:var(--bad-paper); border:1px solid var(--bad-line); border-radius:.75rem; font-size:.9375rem}
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
  body{background:radial-gradient(64rem 30rem at 50% -12rem,color-mix(in oklab,var(--brand) 14%,var(--paper)),var(--paper)) no-repeat var(--paper)}
}
@media (max-width:26rem){
  body{padding:0; place-items:stretch; background:var(--card)}
  .card{max-width:none; border:0; border-radius:0; box-shadow:none; padding:3rem 1.25rem 2rem}
}
@media (prefers-reduced-motion:reduce){*{transition:none}}
@media (forced-colors:active){.primary{border-color:ButtonText} .or::before,.or::after{background:CanvasText}}
`

/** The style sheet, without the spaces it was written with. */
export const styleSheet: string = sheet.replace(/\n\s*/g, "")

/** Its hash for the policy; after a change, a failing test prints the new one. */
export const styleSheetHash = "sha256-Otgs5rEaYzvwX8ISTQ2c3ruWDqMDvutrn+l/pnfK2Ig="
